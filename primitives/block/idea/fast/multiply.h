#ifndef STEELYARD_IDEA_MULTIPLY_H
#define STEELYARD_IDEA_MULTIPLY_H

#include <stdint.h>

/* The halves of a product where the machine holds them: compilers for 8-bit machines make a shift
 * by 16 out of register moves, twice the cost of all else here. */
typedef union {
    uint32_t product;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    struct {
        uint16_t high;
        uint16_t low;
    } half;
#else
    struct {
        uint16_t low;
        uint16_t high;
    } half;
#endif
} idea_product;

/* Multiplication modulo 65537 where 0 stands for 65536, which is -1: then the result is minus the
 * other operand, and in general high * 65536 + low is low - high. */
static inline uint16_t idea_multiply(uint16_t a, uint16_t b) {
    idea_product p;

    if (a == 0) {
        return (uint16_t)(1u - b);
    }
    if (b == 0) {
        return (uint16_t)(1u - a);
    }
    p.product = (uint32_t)a * b;
    uint16_t difference = (uint16_t)(p.half.low - p.half.high);
    if (p.half.low < p.half.high) {
        difference++;
    }
    return difference;
}

#endif
