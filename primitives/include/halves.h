#ifndef STEELYARD_HALVES_H
#define STEELYARD_HALVES_H

#include <stdint.h>

#include "inline.h"
#include "rotate.h"

/* A word of 64 bits in two of 32, for processors without 64-bit registers. */
typedef struct {
    uint32_t low;
    uint32_t high;
} halves;

ALWAYS_INLINE halves join(uint32_t low, uint32_t high) {
    halves x;

    x.low = low;
    x.high = high;
    return x;
}

ALWAYS_INLINE halves mixed(halves a, halves b) {
    return join(a.low ^ b.low, a.high ^ b.high);
}

ALWAYS_INLINE halves rotated_left(halves x, uint8_t n) {
    return n == 0 ? x : join(x.low << n | x.high >> (32 - n), x.high << n | x.low >> (32 - n));
}

/* x rotated left by the constant n, 0 to 63; where ROTATE_IN_STEPS, by byte moves and at most four
 * single steps to either side, as rotate.h does. */
ALWAYS_INLINE halves rotl64(halves x, uint8_t n) {
    uint8_t left = n & 7;

    if ((ROTATE_IN_STEPS ? n + 3 : n) & 32) {
        x = join(x.high, x.low);
    }
#if ROTATE_IN_STEPS
    x = rotated_left(x, (uint8_t)((n + 3) & 24));
    if (left <= 4) {
        for (; left > 0; left--) {
            x = rotated_left(x, 1);
        }
    } else {
        for (; left < 8; left++) {
            x = join(x.low >> 1 | x.high << 31, x.high >> 1 | x.low << 31);
        }
    }
    return x;
#else
    (void)left;
    return rotated_left(x, n & 31);
#endif
}

#endif
