/* The same product: factors of 17 bits, additions under a mask, and two masked corrections. */
#include <stdint.h>

#define MODULUS 65537

/* Its own function, so that no compiler tests the bit by a branch. */
static uint8_t top_bit(uint32_t value) {
    volatile uint8_t byte = (uint8_t)(value >> 24);
    return byte >> 7;
}

static uint32_t masked(uint32_t value, uint8_t bit) {
    volatile uint8_t hidden = bit;
    return value & (0 - (uint32_t)hidden);
}

/* 65536 for 0. */
static uint32_t factor(uint16_t word) {
    return word + masked(65536, top_bit((uint32_t)word - 1));
}

static uint32_t reduced(uint32_t value) {
    uint32_t difference = value - MODULUS;
    return difference + masked(MODULUS, top_bit(difference));
}

static uint16_t multiplied(uint16_t left, uint16_t right) {
    uint32_t value = factor(left), bits = factor(right) << 7, sum = 0;
    for (uint8_t i = 0; i < 17; i++) {
        volatile uint8_t byte = (uint8_t)(bits >> 16);
        sum = reduced(sum << 1);
        sum = reduced(sum + masked(value, byte >> 7));
        bits <<= 1;
    }
    return (uint16_t)sum;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 32; i += 2) {
        uint16_t key = (uint16_t)((secret[i] & 0x81) << 8);
        uint16_t word = (uint16_t)(open[i] | open[i + 1] << 8);
        word = multiplied(word, key);
        out[i] = (uint8_t)word;
        out[i + 1] = (uint8_t)(word >> 8);
    }
}
