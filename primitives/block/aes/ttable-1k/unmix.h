#ifndef STEELYARD_UNMIX_H
#define STEELYARD_UNMIX_H

#include <stdint.h>

#include "aes.h"
#include "inverse_sbox.h"
#include "rotate.h"

/* InvSubBytes, InvShiftRows and InvMixColumns of one column (FIPS 197, section 5.3.5, EqInvCipher).
 */
static inline uint32_t unmix_column(const uint32_t *from, uint8_t c) {
    uint32_t column = aes_inverse_table[aes_row(from[c], 0)];
    column ^= rotl32(aes_inverse_table[aes_row(from[(c + 3) & 3], 1)], 8);
    column ^= rotl32(aes_inverse_table[aes_row(from[(c + 2) & 3], 2)], 16);
    column ^= rotl32(aes_inverse_table[aes_row(from[(c + 1) & 3], 3)], 24);
    return column;
}

static inline uint32_t last_column(const uint32_t *from, uint8_t c) {
    uint32_t column = (uint32_t)inverse_sbox[aes_row(from[c], 0)];
    column |= (uint32_t)inverse_sbox[aes_row(from[(c + 3) & 3], 1)] << 8;
    column |= (uint32_t)inverse_sbox[aes_row(from[(c + 2) & 3], 2)] << 16;
    column |= (uint32_t)inverse_sbox[aes_row(from[(c + 1) & 3], 3)] << 24;
    return column;
}

#endif
