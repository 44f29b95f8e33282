/* Words of 64 bits from and to bytes, and rotated. */
#ifndef STEELYARD_WORD64_H
#define STEELYARD_WORD64_H

#include "bytes.h"

static inline uint64_t load64_be(const uint8_t *p) {
    return (uint64_t)load32_be(p) << 32 | load32_be(p + 4);
}

static inline void store64_be(uint8_t *p, uint64_t x) {
    store32_be(p, (uint32_t)(x >> 32));
    store32_be(p + 4, (uint32_t)x);
}

/* n is a constant, 1 to 63. */
#define ROTR64(x, n) ((x) >> (n) | (x) << (64 - (n)))

#endif
