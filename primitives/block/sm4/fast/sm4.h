#ifndef STEELYARD_SM4_H
#define STEELYARD_SM4_H

#include <stdint.h>

#include "inline.h"
#include "rom.h"
#include "rotate.h"

/* The specification's S-box. */
extern const ROM uint8_t sm4_sbox[256];

/* The byte substitution tau. */
ALWAYS_INLINE uint32_t sm4_substitute(uint32_t x) {
    return (uint32_t)sm4_sbox[x >> 24] << 24 | (uint32_t)sm4_sbox[(uint8_t)(x >> 16)] << 16 |
           (uint32_t)sm4_sbox[(uint8_t)(x >> 8)] << 8 | sm4_sbox[(uint8_t)x];
}

/* T = L(tau): of L's rotations by 2, 10, 18 and 24 bits three are one of a sum by two bits. */
ALWAYS_INLINE uint32_t sm4_t(uint32_t x) {
    uint32_t b = sm4_substitute(x);

    return b ^ rotl32(b, 24) ^ rotl32(b ^ rotl32(b, 8) ^ rotl32(b, 16), 2);
}

#endif
