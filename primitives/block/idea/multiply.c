#include "multiply.h"

/* 65536 is -1 modulo 65537: times it, the other operand is negated, and in general
 * high * 65536 + low is low - high. */
uint16_t idea_multiply(uint16_t a, uint16_t b) {
    uint32_t product = (uint32_t)a * b;

    if (product == 0) {
        return (uint16_t)(1u - a - b);
    }
    a = (uint16_t)product;
    b = (uint16_t)(product >> 16);
    return (uint16_t)(a - b + (a < b));
}
