/* Rotations of 32-bit words.
 *
 * Where int has 16 bits there is no barrel shifter to expect, and compilers shift a 32-bit word by
 * n in n steps, twice for a rotation. There a rotation is made of byte moves, which cost no shift
 * at all, and at most four single-bit steps to either side. */
#ifndef STEELYARD_ROTATE_H
#define STEELYARD_ROTATE_H

#include <limits.h>
#include <stdint.h>

#include "inline.h"

#ifndef ROTATE_IN_STEPS
#define ROTATE_IN_STEPS (UINT_MAX == 0xFFFFu)
#endif

/* n is 1 to 31. */
#define ROTL32_SHIFTS(x, n) ((x) << (n) | (x) >> (32 - (n)))

#if ROTATE_IN_STEPS

ALWAYS_INLINE uint32_t rotl32_bytes(uint32_t x, uint8_t bytes) {
    switch (bytes & 3) {
    case 1:
        return ROTL32_SHIFTS(x, 8);
    case 2:
        return ROTL32_SHIFTS(x, 16);
    case 3:
        return ROTL32_SHIFTS(x, 24);
    default:
        return x;
    }
}

/* x rotated left by the constant n, 0 to 31. */
ALWAYS_INLINE uint32_t rotl32(uint32_t x, uint8_t n) {
    uint8_t left = n & 7;
    x = rotl32_bytes(x, (uint8_t)((n + 3) / 8));
    if (left <= 4) {
        for (; left > 0; left--) {
            x = ROTL32_SHIFTS(x, 1);
        }
    } else {
        for (; left < 8; left++) {
            x = ROTL32_SHIFTS(x, 31);
        }
    }
    return x;
}

/* x rotated left by the low five bits of n. */
ALWAYS_INLINE uint32_t rotl32_variable(uint32_t x, uint8_t n) {
    uint8_t left = n & 7;
    if (left <= 4) {
        for (; left > 0; left--) {
            x = ROTL32_SHIFTS(x, 1);
        }
    } else {
        n = (uint8_t)(n + 8);
        for (; left < 8; left++) {
            x = ROTL32_SHIFTS(x, 31);
        }
    }
    if (n & 8) {
        x = ROTL32_SHIFTS(x, 8);
    }
    if (n & 16) {
        x = ROTL32_SHIFTS(x, 16);
    }
    return x;
}

#else

ALWAYS_INLINE uint32_t rotl32(uint32_t x, uint8_t n) {
    return n == 0 ? x : ROTL32_SHIFTS(x, n);
}

ALWAYS_INLINE uint32_t rotl32_variable(uint32_t x, uint8_t n) {
    return x << (n & 31) | x >> (-n & 31);
}

#endif

/* x rotated right by the low five bits of n. */
ALWAYS_INLINE uint32_t rotr32_variable(uint32_t x, uint8_t n) {
    return rotl32_variable(x, (uint8_t)(32 - (n & 31)));
}

#endif
