#ifndef STEELYARD_MIX_H
#define STEELYARD_MIX_H

#include <stdint.h>

#include "aes.h"
#include "rotate.h"

/* SubBytes, ShiftRows and MixColumns of one column (FIPS 197, section 5.1). */
static inline uint32_t mix_column(const uint32_t *from, uint8_t c) {
    uint32_t column = aes_table[aes_row(from[c], 0)];
    column ^= rotl32(aes_table[aes_row(from[(c + 1) & 3], 1)], 8);
    column ^= rotl32(aes_table[aes_row(from[(c + 2) & 3], 2)], 16);
    column ^= rotl32(aes_table[aes_row(from[(c + 3) & 3], 3)], 24);
    return column;
}

static inline uint32_t last_column(const uint32_t *from, uint8_t c) {
    uint32_t column = (uint32_t)aes_substitute(aes_row(from[c], 0));
    column |= (uint32_t)aes_substitute(aes_row(from[(c + 1) & 3], 1)) << 8;
    column |= (uint32_t)aes_substitute(aes_row(from[(c + 2) & 3], 2)) << 16;
    column |= (uint32_t)aes_substitute(aes_row(from[(c + 3) & 3], 3)) << 24;
    return column;
}

#endif
