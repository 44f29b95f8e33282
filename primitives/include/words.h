/* Blocks of four little-endian words, for any alignment and either byte order. */
#ifndef STEELYARD_WORDS_H
#define STEELYARD_WORDS_H

#include <limits.h>
#include <stdint.h>

#include "bytes.h"
#include "inline.h"

/* Where whole words can be loaded and stored, four bytes cost one access: a block then asks once
 * whether its address allows it. Sixteen bytes one after another also fill a write buffer. */
#if defined(__GNUC__) && UINT_MAX > 0xFFFFu && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define IS_WHOLE_LE(p) (((uintptr_t)(p)&3) == 0)

ALWAYS_INLINE uint32_t load32_whole(const uint8_t *p) {
    uint32_t x;
    __builtin_memcpy(&x, __builtin_assume_aligned(p, 4), 4);
    return x;
}

ALWAYS_INLINE void store32_whole(uint8_t *p, uint32_t x) {
    __builtin_memcpy(__builtin_assume_aligned(p, 4), &x, 4);
}

#else
#define IS_WHOLE_LE(p) 0
#define load32_whole   load32_le
#define store32_whole  store32_le
#endif

/* A word alone. */
ALWAYS_INLINE uint32_t load_word_le(const uint8_t *p) {
    return IS_WHOLE_LE(p) ? load32_whole(p) : load32_le(p);
}

ALWAYS_INLINE void store_word_le(uint8_t *p, uint32_t x) {
    if (IS_WHOLE_LE(p)) {
        store32_whole(p, x);
    } else {
        store32_le(p, x);
    }
}

/* Four words in a row. */
ALWAYS_INLINE void load128_le(uint32_t *x, const uint8_t *p) {
    if (IS_WHOLE_LE(p)) {
        x[0] = load32_whole(p);
        x[1] = load32_whole(p + 4);
        x[2] = load32_whole(p + 8);
        x[3] = load32_whole(p + 12);
    } else {
        x[0] = load32_le(p);
        x[1] = load32_le(p + 4);
        x[2] = load32_le(p + 8);
        x[3] = load32_le(p + 12);
    }
}

ALWAYS_INLINE void store128_le(uint8_t *p, uint32_t x0, uint32_t x1, uint32_t x2, uint32_t x3) {
    if (IS_WHOLE_LE(p)) {
        store32_whole(p, x0);
        store32_whole(p + 4, x1);
        store32_whole(p + 8, x2);
        store32_whole(p + 12, x3);
    } else {
        store32_le(p, x0);
        store32_le(p + 4, x1);
        store32_le(p + 8, x2);
        store32_le(p + 12, x3);
    }
}

#endif
