#ifndef STEELYARD_DES_H
#define STEELYARD_DES_H

#include <stdint.h>

#include "context.h"
#include "rom.h"
#include "rotate.h"

/* Where the key of the third pass begins. */
#define DES_THIRD_KEY (PRIMITIVE_KEY_BYTES == 16 ? 0 : 16)

extern const ROM uint32_t des_sp[8][64];

/* Exchanges the bits of x at mask << n with those of y at mask. */
#define DES_SWAP(x, y, n, mask)                                                                    \
    {                                                                                              \
        uint32_t t = ((x) >> (n) ^ (y)) & (mask);                                                  \
        (y) ^= t;                                                                                  \
        (x) ^= t << (n);                                                                           \
    }

/* FIPS 46-3, IP, and both halves rotated left by one, so that the six bits of every S-box lie in a
 * byte; and the way back. */
static inline void des_permute(uint32_t *left, uint32_t *right) {
    uint32_t l = *left;
    uint32_t r = *right;

    DES_SWAP(l, r, 4, UINT32_C(0x0F0F0F0F))
    DES_SWAP(l, r, 16, UINT32_C(0x0000FFFF))
    DES_SWAP(r, l, 2, UINT32_C(0x33333333))
    DES_SWAP(r, l, 8, UINT32_C(0x00FF00FF))
    DES_SWAP(l, r, 1, UINT32_C(0x55555555))
    *left = rotl32(l, 1);
    *right = rotl32(r, 1);
}

static inline void des_unpermute(uint32_t *left, uint32_t *right) {
    uint32_t l = rotl32(*left, 31);
    uint32_t r = rotl32(*right, 31);

    DES_SWAP(l, r, 1, UINT32_C(0x55555555))
    DES_SWAP(r, l, 8, UINT32_C(0x00FF00FF))
    DES_SWAP(r, l, 2, UINT32_C(0x33333333))
    DES_SWAP(l, r, 16, UINT32_C(0x0000FFFF))
    DES_SWAP(l, r, 4, UINT32_C(0x0F0F0F0F))
    *left = l;
    *right = r;
}

/* The cipher function f. */
static inline uint32_t des_f(uint32_t r, const uint32_t *k) {
    uint32_t odd = rotl32(r, 28) ^ k[0];
    uint32_t even = r ^ k[1];

    return des_sp[0][odd >> 24 & 0x3F] ^ des_sp[2][odd >> 16 & 0x3F] ^ des_sp[4][odd >> 8 & 0x3F] ^
           des_sp[6][odd & 0x3F] ^ des_sp[1][even >> 24 & 0x3F] ^ des_sp[3][even >> 16 & 0x3F] ^
           des_sp[5][even >> 8 & 0x3F] ^ des_sp[7][even & 0x3F];
}

#endif
