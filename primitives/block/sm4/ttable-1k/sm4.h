#ifndef STEELYARD_SM4_H
#define STEELYARD_SM4_H

#include <stdint.h>

#include "inline.h"
#include "rom.h"
#include "rotate.h"

/* The specification's S-box, for the key expansion, whose linear map is another. */
extern const ROM uint8_t sm4_sbox[256];

/* L of an S-box output in the lowest byte; rotated left by 8 n bits it is that of byte n. */
extern const ROM uint32_t sm4_table[256];

/* The byte substitution tau. */
ALWAYS_INLINE uint32_t sm4_substitute(uint32_t x) {
    return (uint32_t)sm4_sbox[x >> 24] << 24 | (uint32_t)sm4_sbox[(uint8_t)(x >> 16)] << 16 |
           (uint32_t)sm4_sbox[(uint8_t)(x >> 8)] << 8 | sm4_sbox[(uint8_t)x];
}

/* T = L(tau). */
ALWAYS_INLINE uint32_t sm4_t(uint32_t x) {
    return sm4_table[(uint8_t)x] ^ rotl32(sm4_table[(uint8_t)(x >> 8)], 8) ^
           rotl32(sm4_table[(uint8_t)(x >> 16)], 16) ^ rotl32(sm4_table[x >> 24], 24);
}

#endif
