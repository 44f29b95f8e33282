/* Words of 64 bits from and to bytes, and rotated. */
#ifndef STEELYARD_WORD64_H
#define STEELYARD_WORD64_H

#include "bytes.h"

static inline uint64_t load64_le(const uint8_t *p) {
    return (uint64_t)load32_le(p + 4) << 32 | load32_le(p);
}

static inline void store64_le(uint8_t *p, uint64_t x) {
    store32_le(p, (uint32_t)x);
    store32_le(p + 4, (uint32_t)(x >> 32));
}

/* n is a constant, 1 to 63. */
#define ROTL64(x, n) ((x) << (n) | (x) >> (64 - (n)))

#endif
