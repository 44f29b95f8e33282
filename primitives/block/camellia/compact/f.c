#include "camellia.h"

#include "sbox.h"

/* The right half of the output is the left half and, a byte further on, what the left half of the
 * input has added to it. */
void camellia_add_f(uint8_t *y, const uint8_t *x, const uint8_t *subkey) {
    uint8_t t[8];
    uint8_t sums[2] = {0, 0};

    for (uint8_t i = 0; i < 8; i++) {
        uint8_t box = (i < 4 ? i : i + 1) & 3;
        uint8_t a = x[i] ^ subkey[i];
        a = sbox[box == 3 ? rotate(a) : a];
        if (box == 1) {
            a = rotate(a);
        } else if (box == 2) {
            a = rotate_back(a);
        }
        sums[i >> 2] ^= a;
        t[i] = a;
    }
    sums[1] ^= sums[0];
    for (uint8_t i = 0; i < 4; i++) {
        uint8_t left = sums[1] ^ t[4 + i] ^ t[(i + 1) & 3];
        y[i] ^= left;
        y[4 + i] ^= left ^ sums[0] ^ t[i];
    }
}
