#include "seed.h"

#include "bytes.h"

void seed_load(uint32_t *x, const uint8_t *in) {
    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load32_be(in + 4 * i);
    }
}

void seed_store_exchanged(uint8_t *out, const uint32_t *x) {
    for (uint8_t i = 0; i < 4; i++) {
        store32_be(out + 4 * i, x[i ^ 2]);
    }
}
