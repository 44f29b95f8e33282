/* 64-bit arithmetic for a compiler that brings no runtime, one routine a file. */
#ifndef STEELYARD_WIDE_H
#define STEELYARD_WIDE_H

#include <stdint.h>

typedef struct {
    uint64_t quotient;
    uint64_t remainder;
} wide_division;

/* Schoolbook division bit by bit; a divisor of 0 gives all ones and the dividend. */
static inline wide_division wide_divide(uint64_t dividend, uint64_t divisor) {
    wide_division result = {dividend, 0};
    for (uint8_t bit = 0; bit < 64; bit++) {
        uint8_t carry = (uint8_t)(result.remainder >> 63);
        result.remainder = result.remainder << 1 | result.quotient >> 63;
        result.quotient <<= 1;
        if (carry || result.remainder >= divisor) {
            result.remainder -= divisor;
            result.quotient |= 1;
        }
    }
    return result;
}

static inline uint64_t wide_magnitude(int64_t value) {
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

uint64_t __muldi3(uint64_t left, uint64_t right);
uint64_t __udivdi3(uint64_t dividend, uint64_t divisor);
uint64_t __umoddi3(uint64_t dividend, uint64_t divisor);
int64_t __divdi3(int64_t dividend, int64_t divisor);
int64_t __moddi3(int64_t dividend, int64_t divisor);

#endif
