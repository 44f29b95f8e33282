/* The block as four planes: bit i of plane b is bit 4i + b of the block. */
#ifndef STEELYARD_GIFT_PLANES_H
#define STEELYARD_GIFT_PLANES_H

#include "context.h"

#define GIFT_PIECES (PRIMITIVE_BLOCK_BYTES / 2)

/* The planes that take V and U of the round key, GIFT paper. */
#define GIFT_V_PLANE (PRIMITIVE_BLOCK_BYTES == 8 ? 0 : 1)
#define GIFT_U_PLANE (GIFT_V_PLANE + 1)

/* The bit of plane 3 that every round flips. */
#define GIFT_TOP_BIT ((gift_plane)((gift_plane)1 << (8 * sizeof(gift_plane) - 1)))

/* The round constant after c, GIFT paper, and the one before it. */
#define GIFT_NEXT_CONSTANT(c) ((uint8_t)(((c) << 1 & 0x3E) | (((c) >> 5 ^ (c) >> 4 ^ 1) & 1)))
#define GIFT_LAST_CONSTANT(c) ((uint8_t)((c) >> 1 | (((c) << 5 ^ (c) ^ 0x20) & 0x20)))

/* Exchanges the bits of x at mask with those n places above. */
#define GIFT_SWAP(type, x, n, mask)                                                                \
    {                                                                                              \
        type t = (type)(((x) ^ (x) >> (n)) & (mask));                                              \
        (x) = (type)((x) ^ t ^ t << (n));                                                          \
    }

/* The 4 x 4 bits of x mirrored at the diagonal. */
static inline uint16_t gift_transpose(uint16_t x) {
    GIFT_SWAP(uint16_t, x, 3, 0x0A0A)
    GIFT_SWAP(uint16_t, x, 6, 0x00CC)
    return x;
}

static inline void gift_load(gift_plane *x, const uint8_t *in) {
    x[0] = x[1] = x[2] = x[3] = 0;
    for (uint8_t i = 0; i < GIFT_PIECES; i++) {
        uint16_t piece = gift_transpose((uint16_t)((uint16_t)in[2 * i] << 8 | in[2 * i + 1]));
        for (uint8_t b = 0; b < 4; b++) {
            x[b] = (gift_plane)((gift_plane)(x[b] << 4) | (gift_plane)(piece & 0xF));
            piece >>= 4;
        }
    }
}

static inline void gift_store(uint8_t *out, gift_plane *x) {
    for (uint8_t i = GIFT_PIECES; i-- > 0;) {
        uint16_t piece = 0;
        for (uint8_t b = 4; b-- > 0;) {
            piece = (uint16_t)((unsigned)piece << 4 | (unsigned)(x[b] & 0xF));
            x[b] >>= 4;
        }
        piece = gift_transpose(piece);
        out[2 * i] = (uint8_t)(piece >> 8);
        out[2 * i + 1] = (uint8_t)piece;
    }
}

#endif
