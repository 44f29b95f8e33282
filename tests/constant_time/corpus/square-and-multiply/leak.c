/* A power with a secret exponent: a bit that is set costs one more product. */
#include <stdint.h>

#define MODULUS 32749

static uint16_t hide(uint16_t value) {
    volatile uint16_t hidden = value;
    return hidden;
}

static uint16_t sum(uint16_t left, uint16_t right) {
    uint16_t difference = hide((uint16_t)(left + right - MODULUS));
    return (uint16_t)(difference + (MODULUS & (0u - hide(difference >> 15))));
}

static uint16_t __attribute__((noinline)) product(uint16_t left, uint16_t right) {
    uint16_t total = 0;
    for (uint8_t i = 0; i < 15; i++) {
        total = sum(total, total);
        total = sum(total, left & (0u - hide(right >> 14 & 1)));
        right = (uint16_t)(right << 1);
    }
    return total;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint16_t base = (uint16_t)((open[0] | open[1] << 8) & 0x3fff), power = 1;
    for (uint8_t i = 0; i < 32; i++) {
        power = product(power, power);
        if (secret[i] & 1) {
            power = product(power, base);
        }
        out[i] = (uint8_t)(power ^ power >> 8);
    }
}
