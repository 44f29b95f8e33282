#ifndef STEELYARD_TWO_ROUNDS_H
#define STEELYARD_TWO_ROUNDS_H

#include "camellia.h"
#include "rom.h"

/* RFC 3713, Sigma1 to Sigma6. */
static const ROM uint8_t sigma[6][8] = {
    {0xa0, 0x9e, 0x66, 0x7f, 0x3b, 0xcc, 0x90, 0x8b},
    {0xb6, 0x7a, 0xe8, 0x58, 0x4c, 0xaa, 0x73, 0xb2},
    {0xc6, 0xef, 0x37, 0x2f, 0xe9, 0x4f, 0x82, 0xbe},
    {0x54, 0xff, 0x53, 0xa5, 0xf1, 0xd3, 0x6f, 0x1c},
    {0x10, 0xe5, 0x27, 0xfa, 0xde, 0x68, 0x2d, 0x1d},
    {0xb0, 0x56, 0x88, 0xc2, 0xb3, 0xe6, 0xc1, 0xfd},
};

static void add(uint8_t *to, const uint8_t *from) {
    for (uint8_t i = 0; i < 16; i++) {
        to[i] ^= from[i];
    }
}

/* Two Feistel rounds under the constants from number first on. */
static void two_rounds(uint8_t *d, uint8_t first) {
    uint8_t constant[8];

    for (uint8_t round = 0; round < 2; round++) {
        for (uint8_t i = 0; i < 8; i++) {
            constant[i] = sigma[first + round][i];
        }
        camellia_add_f(d + (round ? 0 : 8), d + (round ? 8 : 0), constant);
    }
}

#endif
