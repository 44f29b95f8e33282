/* The difference is always made; its borrow makes the mask that keeps it or the value. */
#include <stdint.h>

#define WORDS 8

/* 1 for a number below 0 in two's complement. */
static uint8_t is_negative(uint32_t value) {
    volatile uint8_t byte = (uint8_t)(value >> 24);
    return byte >> 7;
}

static void reduce(uint16_t *value, const uint16_t *modulus) {
    uint16_t differences[WORDS], borrow = 0;
    for (uint8_t i = 0; i < WORDS; i++) {
        uint32_t difference = (uint32_t)value[i] - modulus[i] - borrow;
        differences[i] = (uint16_t)difference;
        borrow = is_negative(difference);
    }
    volatile uint16_t hidden = borrow;
    uint16_t kept = (uint16_t)(0u - hidden);
    for (uint8_t i = 0; i < WORDS; i++) {
        value[i] = (value[i] & kept) | (differences[i] & (uint16_t)~kept);
    }
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint16_t value[WORDS], modulus[WORDS];
    for (uint8_t half = 0; half < 32; half += 16) {
        for (uint8_t i = 0; i < WORDS; i++) {
            value[i] = (uint16_t)(secret[half + 2 * i] | secret[half + 2 * i + 1] << 8);
            modulus[i] = (uint16_t)(open[half + 2 * i] | open[half + 2 * i + 1] << 8);
        }
        reduce(value, modulus);
        for (uint8_t i = 0; i < WORDS; i++) {
            out[half + 2 * i] = (uint8_t)value[i];
            out[half + 2 * i + 1] = (uint8_t)(value[i] >> 8);
        }
    }
}
