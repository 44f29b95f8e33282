#ifndef STEELYARD_TEA_H
#define STEELYARD_TEA_H

#include <stdint.h>

#include "inline.h"

#define TEA_DELTA UINT32_C(0x9E3779B9)

/* Wheeler and Needham, the increment of one Feistel round. */
ALWAYS_INLINE uint32_t tea_mix(uint32_t v, uint32_t sum, const uint32_t *key) {
    uint32_t left = v << 4;
    uint32_t right = v >> 5;
    return (left + key[0]) ^ (v + sum) ^ (right + key[1]);
}

#endif
