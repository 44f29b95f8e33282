/* The same difference; the compiler cannot know that the mask has only two values. */
#include <stdint.h>

#define LIMBS 8
#define BITS  0x1fffffff

/* Its own function, so that no compiler tests the bit by a branch. */
static uint8_t top_bit(uint32_t value) {
    volatile uint8_t byte = (uint8_t)(value >> 24);
    return byte >> 7;
}

static void subtract(uint32_t *difference, const uint32_t *left, const uint32_t *right) {
    uint32_t borrow = 0, carry = 0;
    for (uint8_t i = 0; i < LIMBS; i++) {
        borrow = left[i] - (right[i] + top_bit(borrow));
        difference[i] = borrow & BITS;
    }
    volatile uint8_t negative = top_bit(borrow);
    uint32_t mask = 0 - (uint32_t)negative;
    for (uint8_t i = 0; i < LIMBS; i++) {
        carry = (carry >> 29) + difference[i] + (right[LIMBS - 1 - i] & mask);
        difference[i] = carry & BITS;
    }
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint32_t left[LIMBS], right[LIMBS], difference[LIMBS];
    for (uint8_t i = 0; i < LIMBS; i++) {
        left[i] = (uint32_t)secret[i] << 20 | secret[i + 8];
        right[i] = (uint32_t)open[i] << 20 | open[i + 8];
    }
    subtract(difference, left, right);
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = (uint8_t)(difference[i >> 2] >> 8 * (i & 3));
    }
}
