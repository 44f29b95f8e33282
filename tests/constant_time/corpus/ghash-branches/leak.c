/* A product in GF(2^128) as GCM defines it, with a branch on every bit of the secret factor. */
#include <stdint.h>

#define BYTES 16

static void add(uint8_t *to, const uint8_t *from) {
    for (uint8_t i = 0; i < BYTES; i++) {
        to[i] ^= from[i];
    }
}

static void halve(uint8_t *value) {
    for (uint8_t i = BYTES - 1; i > 0; i--) {
        value[i] = (uint8_t)(value[i] >> 1 | value[i - 1] << 7);
    }
    value[0] >>= 1;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint8_t sum[BYTES] = {0}, value[BYTES];
    for (uint8_t i = 0; i < BYTES; i++) {
        value[i] = open[i];
    }
    for (uint8_t i = 0; i < BYTES; i++) {
        for (uint8_t j = 8; j-- > 0;) {
            if (secret[i] >> j & 1) {
                add(sum, value);
            }
            uint8_t odd = value[BYTES - 1] & 1;
            halve(value);
            value[0] ^= (uint8_t)(0u - odd) & 0xe1;
        }
    }
    for (uint8_t i = 0; i < BYTES; i++) {
        out[i] = sum[i];
        out[BYTES + i] = value[i];
    }
}
