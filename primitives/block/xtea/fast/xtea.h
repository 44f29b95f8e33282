#ifndef STEELYARD_XTEA_H
#define STEELYARD_XTEA_H

#include <stdint.h>

#include "inline.h"

#define XTEA_DELTA UINT32_C(0x9E3779B9)

/* Needham and Wheeler, the increment of one Feistel round; select holds the key word's number in
 * its lowest two bits. */
ALWAYS_INLINE uint32_t xtea_mix(uint32_t v, uint32_t sum, const uint32_t *key, uint8_t select) {
    uint32_t left = v << 4;
    uint32_t right = v >> 5;
    return ((left ^ right) + v) ^ (sum + key[select & 3]);
}

#endif
