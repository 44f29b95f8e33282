/* Words of 16, 24, 32, 48 or 64 bits: an unsigned type where the machine does well with one, else
 * two halves. Where int has 16 bits, shifts go by one bit or by whole bytes. */
#ifndef STEELYARD_WORD_H
#define STEELYARD_WORD_H

#include <stdint.h>

#include "inline.h"
#include "rotate.h"

#define WORD_BYTES (PRIMITIVE_BLOCK_BYTES / 2)
#define WORD_BITS  (8 * WORD_BYTES)

#if WORD_BYTES <= 4 || !ROTATE_IN_STEPS

#if WORD_BYTES == 2
typedef uint16_t word;
#define WORD_MASK UINT16_C(0xFFFF)
#elif WORD_BYTES == 3 && defined(__UINT24_MAX__)
typedef __uint24 word;
#define WORD_MASK __UINT24_MAX__
#elif WORD_BYTES == 3
typedef uint32_t word;
#define WORD_MASK UINT32_C(0xFFFFFF)
#elif WORD_BYTES == 4
typedef uint32_t word;
#define WORD_MASK UINT32_C(0xFFFFFFFF)
#elif WORD_BYTES == 6
typedef uint64_t word;
#define WORD_MASK UINT64_C(0xFFFFFFFFFFFF)
#else
typedef uint64_t word;
#define WORD_MASK UINT64_C(0xFFFFFFFFFFFFFFFF)
#endif

#define WORD_ROTL(x, n) ((word)(((x) << (n) | (x) >> (WORD_BITS - (n))) & WORD_MASK))

ALWAYS_INLINE word word_of(uint8_t x) {
    return x;
}

ALWAYS_INLINE word word_xor(word a, word b) {
    return a ^ b;
}

ALWAYS_INLINE word word_add(word a, word b) {
    return (word)((a + b) & WORD_MASK);
}

ALWAYS_INLINE word word_sub(word a, word b) {
    return (word)((a - b) & WORD_MASK);
}

ALWAYS_INLINE word word_rotl1(word x) {
    return WORD_ROTL(x, 1);
}

ALWAYS_INLINE word word_rotr1(word x) {
    return WORD_ROTL(x, WORD_BITS - 1);
}

ALWAYS_INLINE word word_rotl8(word x) {
    return WORD_ROTL(x, 8);
}

ALWAYS_INLINE word word_rotr8(word x) {
    return WORD_ROTL(x, WORD_BITS - 8);
}

#if ROTATE_IN_STEPS

ALWAYS_INLINE word word_rotl3(word x) {
    return word_rotl1(word_rotl1(word_rotl1(x)));
}

ALWAYS_INLINE word word_rotr3(word x) {
    return word_rotr1(word_rotr1(word_rotr1(x)));
}

#else

ALWAYS_INLINE word word_rotl3(word x) {
    return WORD_ROTL(x, 3);
}

ALWAYS_INLINE word word_rotr3(word x) {
    return WORD_ROTL(x, WORD_BITS - 3);
}

#endif

ALWAYS_INLINE word word_load(const uint8_t *p) {
    word x = 0;
    for (uint8_t i = WORD_BYTES; i-- > 0;) {
        x = (word)(x << 8 | p[i]);
    }
    return x;
}

ALWAYS_INLINE void word_store(uint8_t *p, word x) {
    for (uint8_t i = 0; i < WORD_BYTES; i++) {
        p[i] = (uint8_t)x;
        x = (word)(x >> 8);
    }
}

#else

#if WORD_BYTES == 6
typedef uint16_t word_half;
#else
typedef uint32_t word_half;
#endif

/* The high half has 16 bits in a word of 48. */
typedef struct {
    uint32_t low;
    word_half high;
} word;

#define WORD_HIGH_BITS (WORD_BITS - 32)

ALWAYS_INLINE word word_make(uint32_t low, word_half high) {
    word x;
    x.low = low;
    x.high = high;
    return x;
}

ALWAYS_INLINE word word_of(uint8_t x) {
    return word_make(x, 0);
}

ALWAYS_INLINE word word_xor(word a, word b) {
    return word_make(a.low ^ b.low, (word_half)(a.high ^ b.high));
}

ALWAYS_INLINE word word_add(word a, word b) {
    uint32_t low = a.low + b.low;
    return word_make(low, (word_half)(a.high + b.high + (low < a.low)));
}

ALWAYS_INLINE word word_sub(word a, word b) {
    return word_make(a.low - b.low, (word_half)(a.high - b.high - (a.low < b.low)));
}

/* Bits go from half to half as bytes: compilers shift wider types by a large odd distance in a
 * loop. */
ALWAYS_INLINE word word_rotl1(word x) {
    uint8_t low_top = (uint8_t)(x.low >> 24);
    uint8_t high_top = (uint8_t)(x.high >> (WORD_HIGH_BITS - 8));
    return word_make(x.low << 1 | (uint32_t)(high_top >> 7),
                     (word_half)(x.high << 1 | (word_half)(low_top >> 7)));
}

ALWAYS_INLINE word word_rotr1(word x) {
    uint8_t low_bit = (uint8_t)((uint8_t)x.low << 7);
    uint8_t high_bit = (uint8_t)((uint8_t)x.high << 7);
    return word_make(x.low >> 1 | (uint32_t)high_bit << 24,
                     (word_half)(x.high >> 1 | (word_half)low_bit << (WORD_HIGH_BITS - 8)));
}

ALWAYS_INLINE word word_rotl8(word x) {
    return word_make(x.low << 8 | (uint32_t)(uint8_t)(x.high >> (WORD_HIGH_BITS - 8)),
                     (word_half)(x.high << 8 | (word_half)(x.low >> 24)));
}

ALWAYS_INLINE word word_rotr8(word x) {
    return word_make(x.low >> 8 | (uint32_t)(uint8_t)x.high << 24,
                     (word_half)(x.high >> 8 | (word_half)(uint8_t)x.low << (WORD_HIGH_BITS - 8)));
}

ALWAYS_INLINE word word_rotl3(word x) {
    return word_rotl1(word_rotl1(word_rotl1(x)));
}

ALWAYS_INLINE word word_rotr3(word x) {
    return word_rotr1(word_rotr1(word_rotr1(x)));
}

ALWAYS_INLINE word word_load(const uint8_t *p) {
    uint32_t low =
        (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    word_half high = (word_half)((word_half)p[5] << 8 | p[4]);
#if WORD_BYTES == 8
    high |= (uint32_t)p[6] << 16 | (uint32_t)p[7] << 24;
#endif
    return word_make(low, high);
}

ALWAYS_INLINE void word_store(uint8_t *p, word x) {
    p[0] = (uint8_t)x.low;
    p[1] = (uint8_t)(x.low >> 8);
    p[2] = (uint8_t)(x.low >> 16);
    p[3] = (uint8_t)(x.low >> 24);
    p[4] = (uint8_t)x.high;
    p[5] = (uint8_t)(x.high >> 8);
#if WORD_BYTES == 8
    p[6] = (uint8_t)(x.high >> 16);
    p[7] = (uint8_t)(x.high >> 24);
#endif
}

#endif

#endif
