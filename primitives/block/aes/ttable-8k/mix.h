#ifndef STEELYARD_MIX_H
#define STEELYARD_MIX_H

#include <stdint.h>

#include "aes.h"

/* SubBytes, ShiftRows and MixColumns of one column (FIPS 197, section 5.1). */
static inline uint32_t mix_column(const uint32_t *from, uint8_t c) {
    uint32_t column = aes_table0[aes_row(from[c], 0)];
    column ^= aes_table1[aes_row(from[(c + 1) & 3], 1)];
    column ^= aes_table2[aes_row(from[(c + 2) & 3], 2)];
    column ^= aes_table3[aes_row(from[(c + 3) & 3], 3)];
    return column;
}

static inline uint32_t last_column(const uint32_t *from, uint8_t c) {
    uint32_t column = aes_last0[aes_row(from[c], 0)];
    column |= aes_last1[aes_row(from[(c + 1) & 3], 1)];
    column |= aes_last2[aes_row(from[(c + 2) & 3], 2)];
    column |= aes_last3[aes_row(from[(c + 3) & 3], 3)];
    return column;
}

#endif
