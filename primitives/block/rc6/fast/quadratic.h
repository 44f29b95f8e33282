#ifndef STEELYARD_RC6_QUADRATIC_H
#define STEELYARD_RC6_QUADRATIC_H

#include <limits.h>
#include <stdint.h>

#include "rotate.h"

/* x (2x + 1) modulo 2^32, rotated left by five bits. A 32-bit product of a machine with 16-bit int
 * is made of bytes; a square needs six of its ten, which the compiler's routine does not know. */
ALWAYS_INLINE uint32_t rc6_quadratic(uint32_t x) {
#if UINT_MAX == 0xFFFFu
    uint8_t x0 = (uint8_t)x;
    uint8_t x1 = (uint8_t)(x >> 8);
    uint8_t x2 = (uint8_t)(x >> 16);
    uint8_t x3 = (uint8_t)(x >> 24);
    uint16_t at16 = (uint16_t)((uint16_t)x1 * x1 + 2 * (uint16_t)((uint16_t)x0 * x2) +
                               ((uint16_t)((uint16_t)x0 * x3 + (uint16_t)x1 * x2) << 9));
    uint32_t square = ((uint32_t)at16 << 16) + (uint16_t)((uint16_t)x0 * x0) +
                      ((uint32_t)(uint16_t)((uint16_t)x0 * x1) << 9);
    return rotl32(2 * square + x, 5);
#else
    return rotl32(2 * (x * x) + x, 5);
#endif
}

#endif
