#include "camellia.h"

#include "bytes.h"
#include "rotate.h"

void camellia_fl(uint8_t *x, const uint8_t *subkey) {
    uint32_t left = load32_be(x);
    uint32_t right = load32_be(x + 4) ^ rotl32(left & load32_be(subkey), 1);

    store32_be(x + 4, right);
    store32_be(x, left ^ (right | load32_be(subkey + 4)));
}

void camellia_fl_inverse(uint8_t *x, const uint8_t *subkey) {
    uint32_t right = load32_be(x + 4);
    uint32_t left = load32_be(x) ^ (right | load32_be(subkey + 4));

    store32_be(x, left);
    store32_be(x + 4, right ^ rotl32(left & load32_be(subkey), 1));
}
