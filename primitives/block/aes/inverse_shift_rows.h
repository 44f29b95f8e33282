#ifndef STEELYARD_INVERSE_SHIFT_ROWS_H
#define STEELYARD_INVERSE_SHIFT_ROWS_H

#include "inverse_sbox.h"

/* InvShiftRows and InvSubBytes (FIPS 197, sections 5.3.1 and 5.3.2), row after row. */
static inline void shift_and_substitute(uint8_t *s) {
    uint8_t t;

    s[0] = inverse_sbox[s[0]];
    s[4] = inverse_sbox[s[4]];
    s[8] = inverse_sbox[s[8]];
    s[12] = inverse_sbox[s[12]];

    t = inverse_sbox[s[13]];
    s[13] = inverse_sbox[s[9]];
    s[9] = inverse_sbox[s[5]];
    s[5] = inverse_sbox[s[1]];
    s[1] = t;

    t = inverse_sbox[s[2]];
    s[2] = inverse_sbox[s[10]];
    s[10] = t;
    t = inverse_sbox[s[6]];
    s[6] = inverse_sbox[s[14]];
    s[14] = t;

    t = inverse_sbox[s[3]];
    s[3] = inverse_sbox[s[7]];
    s[7] = inverse_sbox[s[11]];
    s[11] = inverse_sbox[s[15]];
    s[15] = t;
}

#endif
