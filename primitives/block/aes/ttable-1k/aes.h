#ifndef STEELYARD_AES_H
#define STEELYARD_AES_H

#include <stdint.h>

#include "rom.h"

/* For a byte of row 0: SubBytes and its share of MixColumns (FIPS 197, sections 5.1.1 and 5.1.3).
 * Rotated left by 8 r it is the table of row r. */
extern const ROM uint32_t aes_table[256];

/* The same for InvSubBytes and InvMixColumns (sections 5.3.2 and 5.3.3). */
extern const ROM uint32_t aes_inverse_table[256];

/* The column of a table entry has the S-box itself in its rows 1 and 2. */
static inline uint8_t aes_substitute(uint8_t a) {
    return (uint8_t)(aes_table[a] >> 8);
}

/* The byte of a column in row r. */
static inline uint8_t aes_row(uint32_t column, uint8_t r) {
    return (uint8_t)(column >> (8 * r));
}

#endif
