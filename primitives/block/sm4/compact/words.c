#include "sm4.h"

#include "bytes.h"

void sm4_load(uint32_t *x, const uint8_t *in) {
    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load32_be(in + 4 * i);
    }
}

void sm4_store_reversed(uint8_t *out, const uint32_t *x) {
    for (uint8_t i = 4; i > 0; i--) {
        store32_be(out, x[i - 1]);
        out += 4;
    }
}
