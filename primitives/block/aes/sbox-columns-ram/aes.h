#ifndef STEELYARD_AES_H
#define STEELYARD_AES_H

#include <stdint.h>

#include "context.h"
#include "inline.h"
#include "rotate.h"

/* FIPS 197, section 4.2.1: each byte multiplied by x in GF(2^8), without a branch on secret data.
 */
ALWAYS_INLINE uint32_t xtimes(uint32_t column) {
    uint32_t high = column & 0x80808080u;
    return ((column ^ high) << 1) ^ ((high - (high >> 7)) & 0x1b1b1b1bu);
}

/* Bytes of a table at rows 0 to 3 of four columns. */
ALWAYS_INLINE uint32_t aes_substitute(const uint8_t *table, uint32_t row0, uint32_t row1,
                                      uint32_t row2, uint32_t row3) {
    return (uint32_t)table[(uint8_t)row0] | (uint32_t)table[(uint8_t)(row1 >> 8)] << 8 |
           (uint32_t)table[(uint8_t)(row2 >> 16)] << 16 |
           (uint32_t)table[(uint8_t)(row3 >> 24)] << 24;
}

/* MixColumns, FIPS 197, section 5.1.3: a byte becomes x times the sum of itself and the next one,
 * plus the three others. */
ALWAYS_INLINE uint32_t aes_mix(uint32_t column) {
    uint32_t next = rotl32(column, 24);
    uint32_t others = next ^ rotl32(column, 16) ^ rotl32(column, 8);
    return xtimes(column ^ next) ^ others;
}

/* Fills both tables of the context. The function has a file of its own, so that its cycles can be
 * told from those of the key expansion. */
void aes_make_tables(block_context *ctx);

#endif
