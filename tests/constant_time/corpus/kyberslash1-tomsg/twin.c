/* The same bits: a quotient of 1 is a coefficient between two limits, told by two subtractions. */
#include <stdint.h>

#define MODULUS 3329
#define FIRST   ((MODULUS + 1) / 4 + 1)
#define BEHIND  (FIRST + (MODULUS - 1) / 2)

/* 1 for a value below the limit; both are below 2^15. */
static uint8_t below(uint16_t value, uint16_t limit) {
    volatile uint16_t difference = (uint16_t)(value - limit);
    return (uint8_t)(difference >> 15);
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 16; i++) {
        uint16_t coefficient = (uint16_t)(secret[2 * i] | (secret[2 * i + 1] & 15) << 8);
        uint8_t bit = (uint8_t)(below(coefficient, FIRST) ^ below(coefficient, BEHIND));
        out[i] = bit ^ open[i];
        out[16 + i] = open[16 + i];
    }
}
