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
    uint32_t column = aes_table2[aes_row(from[c], 0)] & 0x000000ff;
    column |= aes_table3[aes_row(from[(c + 1) & 3], 1)] & 0x0000ff00;
    column |= aes_table0[aes_row(from[(c + 2) & 3], 2)] & 0x00ff0000;
    column |= aes_table1[aes_row(from[(c + 3) & 3], 3)] & 0xff000000;
    return column;
}

#endif
