#include "cipher.h"

#include "rom.h"
#include "rotate.h"

/* FIPS 46-3, appendix 1, permuted choice 1 and 2, counted from 0. */
static const ROM uint8_t pc1[56] = {
    56, 48, 40, 32, 24, 16, 8,  0,  57, 49, 41, 33, 25, 17, 9,  1,  58, 50, 42,
    34, 26, 18, 10, 2,  59, 51, 43, 35, 62, 54, 46, 38, 30, 22, 14, 6,  61, 53,
    45, 37, 29, 21, 13, 5,  60, 52, 44, 36, 28, 20, 12, 4,  27, 19, 11, 3,
};
static const ROM uint8_t pc2[48] = {
    13, 16, 10, 23, 0,  4,  2,  27, 14, 5,  20, 9,  22, 18, 11, 3,  25, 7,  15, 6,  26, 19, 12, 1,
    40, 51, 30, 36, 46, 54, 29, 39, 50, 44, 32, 47, 43, 48, 38, 55, 33, 52, 45, 41, 49, 35, 28, 31,
};

/* FIPS 46-3, appendix 1: P, counted from 0, and the S-boxes, two results in a byte. */
static const ROM uint8_t p[32] = {
    15, 6, 19, 20, 28, 11, 27, 16, 0,  14, 22, 25, 4,  17, 30, 9,
    1,  7, 23, 13, 31, 26, 2,  8,  18, 12, 29, 5,  21, 10, 3,  24,
};
static const ROM uint8_t sboxes[256] = {
    0xe0, 0x4f, 0xd7, 0x14, 0x2e, 0xf2, 0xbd, 0x81, 0x3a, 0xa6, 0x6c, 0xcb, 0x59, 0x95, 0x03, 0x78,
    0x4f, 0x1c, 0xe8, 0x82, 0xd4, 0x69, 0x21, 0xb7, 0xf5, 0xcb, 0x93, 0x7e, 0x3a, 0xa0, 0x56, 0x0d,
    0xf3, 0x1d, 0x84, 0xe7, 0x6f, 0xb2, 0x38, 0x4e, 0x9c, 0x70, 0x21, 0xda, 0xc6, 0x09, 0x5b, 0xa5,
    0x0d, 0xe8, 0x7a, 0xb1, 0xa3, 0x4f, 0xd4, 0x12, 0x5b, 0x86, 0xc7, 0x6c, 0x90, 0x35, 0x2e, 0xf9,
    0xad, 0x07, 0x90, 0xe9, 0x63, 0x34, 0xf6, 0x5a, 0x12, 0xd8, 0xc5, 0x7e, 0xbc, 0x4b, 0x2f, 0x81,
    0xd1, 0x6a, 0x4d, 0x90, 0x86, 0xf9, 0x38, 0x07, 0xb4, 0x1f, 0x2e, 0xc3, 0x5b, 0xa5, 0xe2, 0x7c,
    0x7d, 0xd8, 0xeb, 0x35, 0x06, 0x6f, 0x90, 0xa3, 0x14, 0x27, 0x82, 0x5c, 0xb1, 0xca, 0x4e, 0xf9,
    0xa3, 0x6f, 0x90, 0x06, 0xca, 0xb1, 0x7d, 0xd8, 0xf9, 0x14, 0x35, 0xeb, 0x5c, 0x27, 0x82, 0x4e,
    0x2e, 0xcb, 0x42, 0x1c, 0x74, 0xa7, 0xbd, 0x61, 0x85, 0x50, 0x3f, 0xfa, 0xd3, 0x09, 0xe8, 0x96,
    0x4b, 0x28, 0x1c, 0xb7, 0xa1, 0xde, 0x72, 0x8d, 0xf6, 0x9f, 0xc0, 0x59, 0x6a, 0x34, 0x05, 0xe3,
    0xca, 0x1f, 0xa4, 0xf2, 0x97, 0x2c, 0x69, 0x85, 0x06, 0xd1, 0x3d, 0x4e, 0xe0, 0x7b, 0x53, 0xb8,
    0x94, 0xe3, 0xf2, 0x5c, 0x29, 0x85, 0xcf, 0x3a, 0x7b, 0x0e, 0x41, 0xa7, 0x16, 0xd0, 0xb8, 0x6d,
    0x4d, 0xb0, 0x2b, 0xe7, 0xf4, 0x09, 0x81, 0xda, 0x3e, 0xc3, 0x95, 0x7c, 0x52, 0xaf, 0x68, 0x16,
    0x16, 0x4b, 0xbd, 0xd8, 0xc1, 0x34, 0x7a, 0xe7, 0xa9, 0xf5, 0x60, 0x8f, 0x0e, 0x52, 0x93, 0x2c,
    0xd1, 0x2f, 0x8d, 0x48, 0x6a, 0xf3, 0xb7, 0x14, 0xac, 0x95, 0x36, 0xeb, 0x50, 0x0e, 0xc9, 0x72,
    0x72, 0xb1, 0x4e, 0x17, 0x94, 0xca, 0xe8, 0x2d, 0x0f, 0x6c, 0xa9, 0xd0, 0xf3, 0x35, 0x56, 0x8b,
};

/* Shifts to the left so far; the last is a full turn. */
static const ROM uint8_t turns[16] = {1, 2, 4, 6, 8, 10, 12, 14, 15, 17, 19, 21, 23, 25, 27, 0};

static uint8_t bit(const uint8_t *bytes, uint8_t n) {
    return bytes[n >> 3] >> (7 - (n & 7)) & 1;
}

/* Bit n of the subkey of a round, looked up in the key itself. */
static uint8_t subkey_bit(const uint8_t *key, uint8_t round, uint8_t n) {
    uint8_t place = pc2[n];
    uint8_t half = place >= 28 ? 28 : 0;

    place = (uint8_t)(place - half + turns[round]);
    if (place >= 28) {
        place = (uint8_t)(place - 28);
    }
    return bit(key, pc1[place + half]);
}

/* The cipher function f, added to `to`; the right half is read six bits at a time. */
static void add_f(uint8_t *to, const uint8_t *right, const uint8_t *key, uint8_t round) {
    uint8_t substituted[4] = {0, 0, 0, 0};
    uint8_t n = 0;

    for (uint8_t box = 0; box < 8; box++) {
        uint8_t place = (uint8_t)(4 * box + 31);
        uint8_t six = 0;
        for (uint8_t j = 6; j > 0; j--) {
            six = (uint8_t)(six << 1 | (bit(right, place & 31) ^ subkey_bit(key, round, n)));
            place++;
            n++;
        }
        uint8_t pair = sboxes[32 * box + (six >> 1)];
        uint8_t result = six & 1 ? pair & 0xF : pair >> 4;
        substituted[box >> 1] = (uint8_t)(substituted[box >> 1] << 4 | result);
    }
    for (uint8_t i = 0; i < 4; i++) {
        uint8_t permuted = 0;
        for (uint8_t j = 0; j < 8; j++) {
            permuted = (uint8_t)(permuted << 1 | bit(substituted, p[8 * i + j]));
        }
        to[i] ^= permuted;
    }
}

/* FIPS 46-3, figure 1, IP: the bytes from the last on are dealt out, bit by bit from the highest,
 * to the right half's and the left half's bytes by turns. */
static void permute(uint8_t *x) {
    uint8_t y[8] = {0, 0, 0, 0, 0, 0, 0, 0};

    for (uint8_t i = 8; i-- > 0;) {
        uint8_t byte = x[i];
        for (uint8_t j = 0; j < 8; j++) {
            uint8_t *to = y + ((j >> 1) | (j & 1 ? 0 : 4));
            *to = (uint8_t)(*to << 1 | byte >> 7);
            byte = (uint8_t)(byte << 1);
        }
    }
    for (uint8_t i = 0; i < 8; i++) {
        x[i] = y[i];
    }
}

static void unpermute(uint8_t *x) {
    uint8_t y[8];

    for (uint8_t i = 0; i < 8; i++) {
        uint8_t byte = 0;
        for (uint8_t j = 0; j < 8; j++) {
            uint8_t *from = x + ((j >> 1) | (j & 1 ? 0 : 4));
            byte = (uint8_t)(byte << 1 | (*from & 1));
            *from >>= 1;
        }
        y[i] = byte;
    }
    for (uint8_t i = 0; i < 8; i++) {
        x[i] = y[i];
    }
}

void des_pass(uint8_t *x, const uint8_t *key, uint8_t backwards) {
    permute(x);
    for (uint8_t i = 0; i < 16; i++) {
        uint8_t half = i & 1 ? 4 : 0;
        add_f(x + half, x + (half ^ 4), key, (uint8_t)(backwards ? 15 - i : i));
    }
    for (uint8_t i = 0; i < 4; i++) {
        uint8_t t = x[i];
        x[i] = x[i + 4];
        x[i + 4] = t;
    }
    unpermute(x);
}
