#include "block.h"

#include "planes.h"

/* PermBits undone. */
#if PRIMITIVE_BLOCK_BYTES == 8

static inline uint8_t exchange_halves(uint8_t x) {
    return (uint8_t)(x << 4 | x >> 4);
}

static inline void permute(uint16_t *x) {
    uint16_t t = (uint16_t)((x[0] ^ x[0] >> 8) & 0x00F0);
    x[0] = gift_transpose((uint16_t)(x[0] ^ t ^ t << 8));
    t = x[1];
    t = (uint16_t)((uint16_t)exchange_halves((uint8_t)(t >> 8)) << 8 | exchange_halves((uint8_t)t));
    x[1] = gift_transpose(t);
    t = (uint16_t)((x[2] ^ x[2] >> 8) & 0x000F);
    x[2] = gift_transpose((uint16_t)(x[2] ^ t ^ t << 8));
    t = x[3];
    t = (uint16_t)((uint16_t)exchange_halves((uint8_t)t) << 8 | exchange_halves((uint8_t)(t >> 8)));
    x[3] = gift_transpose(t);
}

#else

static inline uint32_t scatter(uint8_t r3, uint8_t r2, uint8_t r1, uint8_t r0) {
    uint16_t low = (uint16_t)((uint16_t)(uint8_t)((r2 & 0xF) | r3 << 4) << 8 |
                              (uint8_t)((r0 & 0xF) | r1 << 4));
    uint16_t high = (uint16_t)((uint16_t)(uint8_t)(r2 >> 4 | (r3 & 0xF0)) << 8 |
                               (uint8_t)(r0 >> 4 | (r1 & 0xF0)));

    return (uint32_t)gift_transpose(high) << 16 | gift_transpose(low);
}

#define BYTE(x, n) ((uint8_t)((x) >> (8 * (n))))

static inline void permute(uint32_t *x) {
    uint32_t t = x[0];
    x[0] = scatter(BYTE(t, 1), BYTE(t, 2), BYTE(t, 3), BYTE(t, 0));
    t = x[1];
    x[1] = scatter(BYTE(t, 2), BYTE(t, 3), BYTE(t, 0), BYTE(t, 1));
    t = x[2];
    x[2] = scatter(BYTE(t, 3), BYTE(t, 0), BYTE(t, 1), BYTE(t, 2));
    t = x[3];
    x[3] = scatter(BYTE(t, 0), BYTE(t, 1), BYTE(t, 2), BYTE(t, 3));
}

#endif

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const gift_plane *k = ctx->round_keys + 2 * PRIMITIVE_ROUNDS;
    gift_plane x[4];
    uint8_t constant = 0;

    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        constant = GIFT_NEXT_CONSTANT(constant);
    }
    gift_load(x, in);
    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        x[GIFT_U_PLANE] ^= *--k;
        x[GIFT_V_PLANE] ^= *--k;
        x[3] ^= (gift_plane)(GIFT_TOP_BIT | constant);
        constant = GIFT_LAST_CONSTANT(constant);
        permute(x);
        gift_plane t = (gift_plane)~x[0];
        x[0] = x[3];
        x[3] = t;
        x[2] ^= x[0] & x[1];
        x[1] ^= x[3];
        x[3] ^= x[2];
        x[2] ^= x[0] | x[1];
        x[0] ^= x[1] & x[3];
        x[1] ^= x[0] & x[2];
    }
    gift_store(out, x);
}
