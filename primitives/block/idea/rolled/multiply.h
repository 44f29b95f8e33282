#ifndef STEELYARD_IDEA_MULTIPLY_H
#define STEELYARD_IDEA_MULTIPLY_H

#include <stdint.h>

/* Multiplication modulo 65537 where 0 stands for 65536. As 65536 = -1, the product high * 65536 +
 * low is low - high; where an operand stands for -1 the product is 0, and the result is minus the
 * other. */
static inline uint16_t idea_multiply(uint16_t a, uint16_t b) {
    uint32_t product = (uint32_t)a * b;
    uint16_t low = (uint16_t)product;
    uint16_t high = (uint16_t)(product >> 16);

    if (product == 0) {
        return (uint16_t)(1u - a - b);
    }
    return (uint16_t)(low - high + (low < high));
}

#endif
