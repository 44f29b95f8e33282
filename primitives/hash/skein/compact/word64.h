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

/* x rotated left by n, by whole bytes and then single bits. */
static inline uint64_t rotl64(uint64_t x, uint8_t n) {
    for (; n >= 8; n = (uint8_t)(n - 8)) {
        x = x << 8 | x >> 56;
    }
    for (; n > 0; n--) {
        x = x << 1 | x >> 63;
    }
    return x;
}

#endif
