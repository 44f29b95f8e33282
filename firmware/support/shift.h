/* Shifts of 64 bits by a variable, for a compiler that brings no runtime: words of 16 bits, then
 * single places. */
#ifndef STEELYARD_SHIFT_H
#define STEELYARD_SHIFT_H

#include <stdint.h>

/* The lowest word comes first, as on every little-endian machine. */
typedef union {
    uint64_t whole;
    uint32_t half[2];
    uint16_t word[4];
} wide_words;

uint64_t __ashldi3(uint64_t value, int places);
uint64_t __lshrdi3(uint64_t value, int places);
int64_t __ashrdi3(int64_t value, int places);

/* To the right, `sign` is what comes in at the top, a word of it. */
static inline uint64_t wide_right(uint64_t value, int places, uint16_t sign) {
    wide_words x = {value};
    for (; places >= 16; places -= 16) {
        x.word[0] = x.word[1];
        x.word[1] = x.word[2];
        x.word[2] = x.word[3];
        x.word[3] = sign;
    }
    for (; places > 0; places--) {
        x.half[0] = x.half[0] >> 1 | (uint32_t)(x.word[2] & 1) << 31;
        x.half[1] = x.half[1] >> 1 | (uint32_t)(sign & 0x8000) << 16;
    }
    return x.whole;
}

#endif
