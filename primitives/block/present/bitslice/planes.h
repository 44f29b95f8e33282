/* The block as four planes of 16 bits, and why no bit is permuted alone.
 *
 * Write the six bits of a bit's place in the block as three fields (h, m, l) of two. The S-boxes
 * work across l, and the bit permutation of the PRESENT paper, section 3, turns (h, m, l) into
 * (l, h, m). So the planes stay, and exchange the field that numbers them with one of the two
 * fields inside: the lower or the higher one by turns. In rounds 1, 3, 5... plane l holds the bit
 * at place 4m + h, in the others at 4h + m; round keys are stored in that form. No table is read
 * and no branch depends on data. */
#ifndef STEELYARD_PRESENT_PLANES_H
#define STEELYARD_PRESENT_PLANES_H

#include <stdint.h>

/* Exchanges the bits of x at mask << n with those of y at mask. */
#define PRESENT_SWAP(x, y, n, mask)                                                                \
    {                                                                                              \
        uint16_t t = (uint16_t)(((x) >> (n) ^ (y)) & (mask));                                      \
        (y) = (uint16_t)((y) ^ t);                                                                 \
        (x) = (uint16_t)((x) ^ t << (n));                                                          \
    }

/* Exchanges the plane's number with the lower field. */
static inline void present_turn_low(uint16_t *x) {
    PRESENT_SWAP(x[0], x[1], 1, 0x5555)
    PRESENT_SWAP(x[2], x[3], 1, 0x5555)
    PRESENT_SWAP(x[0], x[2], 2, 0x3333)
    PRESENT_SWAP(x[1], x[3], 2, 0x3333)
}

/* Exchanges the plane's number with the higher field. */
static inline void present_turn_high(uint16_t *x) {
    PRESENT_SWAP(x[0], x[1], 4, 0x0F0F)
    PRESENT_SWAP(x[2], x[3], 4, 0x0F0F)
    PRESENT_SWAP(x[0], x[2], 8, 0x00FF)
    PRESENT_SWAP(x[1], x[3], 8, 0x00FF)
}

/* Exchanges the two fields inside a plane. */
static inline uint16_t present_transpose(uint16_t x) {
    uint16_t t = (uint16_t)((x ^ x >> 3) & 0x0A0A);
    x = (uint16_t)(x ^ t ^ t << 3);
    t = (uint16_t)((x ^ x >> 6) & 0x00CC);
    return (uint16_t)(x ^ t ^ t << 6);
}

static inline void present_add_key(uint16_t *x, const uint16_t *k) {
    x[0] ^= k[0];
    x[1] ^= k[1];
    x[2] ^= k[2];
    x[3] ^= k[3];
}

/* The block's highest byte is the first one; the planes come out as round 1 wants them. */
static inline void present_load(uint16_t *x, const uint8_t *in) {
    for (uint8_t i = 0; i < 4; i++) {
        x[3 - i] = (uint16_t)((uint16_t)in[2 * i] << 8 | in[2 * i + 1]);
    }
    present_turn_low(x);
}

static inline void present_store(uint8_t *out, uint16_t *x) {
    present_turn_low(x);
    for (uint8_t i = 0; i < 4; i++) {
        out[2 * i] = (uint8_t)(x[3 - i] >> 8);
        out[2 * i + 1] = (uint8_t)x[3 - i];
    }
}

#endif
