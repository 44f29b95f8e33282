/* 32-bit division for a compiler that brings no runtime, one routine a file. */
#ifndef STEELYARD_LONG_H
#define STEELYARD_LONG_H

#include <stdint.h>

typedef struct {
    uint32_t quotient;
    uint32_t remainder;
} long_division;

/* Schoolbook division bit by bit; a divisor of 0 gives all ones and the dividend. */
static inline long_division long_divide(uint32_t dividend, uint32_t divisor) {
    long_division result = {dividend, 0};
    for (uint8_t bit = 0; bit < 32; bit++) {
        uint8_t carry = (uint8_t)(result.remainder >> 31);
        result.remainder = result.remainder << 1 | result.quotient >> 31;
        result.quotient <<= 1;
        if (carry || result.remainder >= divisor) {
            result.remainder -= divisor;
            result.quotient |= 1;
        }
    }
    return result;
}

static inline uint32_t long_magnitude(int32_t value) {
    return value < 0 ? -(uint32_t)value : (uint32_t)value;
}

uint32_t __udivsi3(uint32_t dividend, uint32_t divisor);
uint32_t __umodsi3(uint32_t dividend, uint32_t divisor);
int32_t __divsi3(int32_t dividend, int32_t divisor);
int32_t __modsi3(int32_t dividend, int32_t divisor);

#endif
