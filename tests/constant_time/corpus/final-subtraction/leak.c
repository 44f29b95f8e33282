/* The last step of a modular product: the modulus is subtracted if the value is not below it. */
#include <stdint.h>

#define WORDS 8

static uint8_t below(const uint16_t *value, const uint16_t *modulus) {
    for (uint8_t i = WORDS; i-- > 0;) {
        if (value[i] != modulus[i]) {
            return value[i] < modulus[i];
        }
    }
    return 0;
}

static void subtract(uint16_t *value, const uint16_t *modulus) {
    uint16_t borrow = 0;
    for (uint8_t i = 0; i < WORDS; i++) {
        uint32_t difference = (uint32_t)value[i] - modulus[i] - borrow;
        value[i] = (uint16_t)difference;
        borrow = difference >> 16 & 1;
    }
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint16_t value[WORDS], modulus[WORDS];
    for (uint8_t half = 0; half < 32; half += 16) {
        for (uint8_t i = 0; i < WORDS; i++) {
            value[i] = (uint16_t)(secret[half + 2 * i] | secret[half + 2 * i + 1] << 8);
            modulus[i] = (uint16_t)(open[half + 2 * i] | open[half + 2 * i + 1] << 8);
        }
        if (!below(value, modulus)) {
            subtract(value, modulus);
        }
        for (uint8_t i = 0; i < WORDS; i++) {
            out[half + 2 * i] = (uint8_t)value[i];
            out[half + 2 * i + 1] = (uint8_t)(value[i] >> 8);
        }
    }
}
