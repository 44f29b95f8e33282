/* A difference of scalars in limbs; the order is added under a mask if it is negative. */
#include <stdint.h>

#define LIMBS 8
#define BITS  0x1fffffff

static void subtract(uint32_t *difference, const uint32_t *left, const uint32_t *right) {
    uint32_t borrow = 0, carry = 0;
    for (uint8_t i = 0; i < LIMBS; i++) {
        borrow = left[i] - (right[i] + (borrow >> 31));
        difference[i] = borrow & BITS;
    }
    uint32_t mask = ((borrow >> 31) ^ 1) - 1;
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
