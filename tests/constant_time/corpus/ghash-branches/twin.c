/* The same product; every bit makes a mask. */
#include <stdint.h>

#define BYTES 16

static void add(uint8_t *to, const uint8_t *from, uint8_t bit) {
    volatile uint8_t hidden = bit;
    uint8_t mask = (uint8_t)(0u - hidden);
    for (uint8_t i = 0; i < BYTES; i++) {
        to[i] ^= from[i] & mask;
    }
}

static void halve(uint8_t *value) {
    for (uint8_t i = BYTES - 1; i > 0; i--) {
        value[i] = (uint8_t)(value[i] >> 1 | value[i - 1] << 7);
    }
    value[0] >>= 1;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint8_t sum[BYTES], value[BYTES];
    for (uint8_t i = 0; i < BYTES; i++) {
        sum[i] = 0;
        value[i] = open[i];
    }
    for (uint8_t i = 0; i < BYTES; i++) {
        uint8_t bits = secret[i];
        for (uint8_t j = 0; j < 8; j++) {
            add(sum, value, bits >> 7);
            bits = (uint8_t)(bits << 1);
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
