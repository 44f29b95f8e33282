#ifndef STEELYARD_SHIFT_ROWS_H
#define STEELYARD_SHIFT_ROWS_H

#include "aes.h"

/* SubBytes and ShiftRows (FIPS 197, sections 5.1.1 and 5.1.2), row after row. */
static inline void substitute_and_shift(uint8_t *s) {
    uint8_t t;

    s[0] = aes_sbox[s[0]];
    s[4] = aes_sbox[s[4]];
    s[8] = aes_sbox[s[8]];
    s[12] = aes_sbox[s[12]];

    t = aes_sbox[s[1]];
    s[1] = aes_sbox[s[5]];
    s[5] = aes_sbox[s[9]];
    s[9] = aes_sbox[s[13]];
    s[13] = t;

    t = aes_sbox[s[2]];
    s[2] = aes_sbox[s[10]];
    s[10] = t;
    t = aes_sbox[s[6]];
    s[6] = aes_sbox[s[14]];
    s[14] = t;

    t = aes_sbox[s[15]];
    s[15] = aes_sbox[s[11]];
    s[11] = aes_sbox[s[7]];
    s[7] = aes_sbox[s[3]];
    s[3] = t;
}

#endif
