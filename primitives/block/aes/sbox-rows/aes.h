#ifndef STEELYARD_AES_H
#define STEELYARD_AES_H

#include <stdint.h>

#include "inline.h"
#include "rom.h"

/* A row of the state is a word, the byte of column 0 lowest: MixColumns then takes whole rows. */

/* FIPS 197, section 5.1.1, figure 7; set-up and encryption share it. */
extern const ROM uint8_t aes_sbox[256];

ALWAYS_INLINE uint8_t aes_column(uint32_t row, uint8_t c) {
    return (uint8_t)(row >> 8 * c);
}

/* FIPS 197, section 4.2.1: each byte multiplied by x in GF(2^8), without a branch on secret data.
 */
ALWAYS_INLINE uint32_t xtimes(uint32_t row) {
    uint32_t high = row & 0x80808080u;
    return ((row ^ high) << 1) ^ ((high - (high >> 7)) & 0x1b1b1b1bu);
}

/* Bytes of a table at those of a row, which moves left by so many columns. */
ALWAYS_INLINE uint32_t aes_substitute(const ROM uint8_t *table, uint32_t row, uint8_t left) {
    return (uint32_t)table[aes_column(row, left)] |
           (uint32_t)table[aes_column(row, (left + 1) & 3)] << 8 |
           (uint32_t)table[aes_column(row, (left + 2) & 3)] << 16 |
           (uint32_t)table[aes_column(row, (left + 3) & 3)] << 24;
}

ALWAYS_INLINE uint32_t aes_load(const uint8_t *in, uint8_t row) {
    return (uint32_t)in[row] | (uint32_t)in[row + 4] << 8 | (uint32_t)in[row + 8] << 16 |
           (uint32_t)in[row + 12] << 24;
}

ALWAYS_INLINE void aes_store(uint8_t *out, uint8_t row, uint32_t x) {
    out[row] = aes_column(x, 0);
    out[row + 4] = aes_column(x, 1);
    out[row + 8] = aes_column(x, 2);
    out[row + 12] = aes_column(x, 3);
}

/* FIPS 197, section 5.1.3, MixColumns. */
ALWAYS_INLINE void aes_mix(uint32_t *s0, uint32_t *s1, uint32_t *s2, uint32_t *s3) {
    uint32_t all = *s0 ^ *s1 ^ *s2 ^ *s3;
    uint32_t first = *s0;

    *s0 ^= all ^ xtimes(*s0 ^ *s1);
    *s1 ^= all ^ xtimes(*s1 ^ *s2);
    *s2 ^= all ^ xtimes(*s2 ^ *s3);
    *s3 ^= all ^ xtimes(*s3 ^ first);
}

#endif
