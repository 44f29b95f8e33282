#include "camellia.h"

#include "sbox.h"

/* The right half of the output is the left half and, a byte further on, what the left half of the
 * input has added to it. */
void camellia_add_f(uint8_t *y, const uint8_t *x, const uint8_t *subkey) {
    uint8_t t1 = sbox[x[0] ^ subkey[0]];
    uint8_t t2 = rotate(sbox[x[1] ^ subkey[1]]);
    uint8_t t3 = rotate_back(sbox[x[2] ^ subkey[2]]);
    uint8_t t4 = sbox[rotate(x[3] ^ subkey[3])];
    uint8_t all = t1 ^ t2 ^ t3 ^ t4;

    t2 ^= all;
    t3 ^= all;
    t4 ^= all;
    t1 ^= all;
    y[5] ^= t2;
    y[6] ^= t3;
    y[7] ^= t4;
    y[4] ^= t1;

    uint8_t t5 = rotate(sbox[x[4] ^ subkey[4]]);
    uint8_t t6 = rotate_back(sbox[x[5] ^ subkey[5]]);
    uint8_t t7 = sbox[rotate(x[6] ^ subkey[6])];
    uint8_t t8 = sbox[x[7] ^ subkey[7]];
    all = t5 ^ t6 ^ t7 ^ t8;
    t5 ^= all ^ t2;
    t6 ^= all ^ t3;
    t7 ^= all ^ t4;
    t8 ^= all ^ t1;
    y[0] ^= t5;
    y[1] ^= t6;
    y[2] ^= t7;
    y[3] ^= t8;
    y[4] ^= t5;
    y[5] ^= t6;
    y[6] ^= t7;
    y[7] ^= t8;
}
