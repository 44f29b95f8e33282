#include "block.h"

#include "planes.h"

/* GIFT paper, PermBits: inside plane b, nibble 4q + r goes to place q of quarter
 * b - r. */
#if PRIMITIVE_BLOCK_BYTES == 8

static inline uint8_t exchange_halves(uint8_t x) {
    return (uint8_t)(x << 4 | x >> 4);
}

static inline void permute(uint16_t *x) {
    uint16_t t;

    x[0] = gift_transpose(x[0]);
    t = (uint16_t)((x[0] ^ x[0] >> 8) & 0x00F0);
    x[0] = (uint16_t)(x[0] ^ t ^ t << 8);
    t = gift_transpose(x[1]);
    x[1] =
        (uint16_t)((uint16_t)exchange_halves((uint8_t)(t >> 8)) << 8 | exchange_halves((uint8_t)t));
    x[2] = gift_transpose(x[2]);
    t = (uint16_t)((x[2] ^ x[2] >> 8) & 0x000F);
    x[2] = (uint16_t)(x[2] ^ t ^ t << 8);
    t = gift_transpose(x[3]);
    x[3] =
        (uint16_t)((uint16_t)exchange_halves((uint8_t)t) << 8 | exchange_halves((uint8_t)(t >> 8)));
}

#else

/* The bits of residue r in byte r; two words of 16 bits cost less than one of 32 where shifts do.
 */
static inline void gather(uint8_t *to, uint32_t x) {
    uint16_t low = gift_transpose((uint16_t)x);
    uint16_t high = gift_transpose((uint16_t)(x >> 16));
    uint8_t low0 = (uint8_t)low;
    uint8_t low1 = (uint8_t)(low >> 8);
    uint8_t high0 = (uint8_t)high;
    uint8_t high1 = (uint8_t)(high >> 8);

    to[0] = (uint8_t)((low0 & 0x0F) | high0 << 4);
    to[1] = (uint8_t)(low0 >> 4 | (high0 & 0xF0));
    to[2] = (uint8_t)((low1 & 0x0F) | high1 << 4);
    to[3] = (uint8_t)(low1 >> 4 | (high1 & 0xF0));
}

static inline uint32_t word(uint8_t b3, uint8_t b2, uint8_t b1, uint8_t b0) {
    return (uint32_t)b3 << 24 | (uint32_t)b2 << 16 | (uint32_t)b1 << 8 | b0;
}

static inline void permute(uint32_t *x) {
    uint8_t t[4];

    gather(t, x[0]);
    x[0] = word(t[1], t[2], t[3], t[0]);
    gather(t, x[1]);
    x[1] = word(t[2], t[3], t[0], t[1]);
    gather(t, x[2]);
    x[2] = word(t[3], t[0], t[1], t[2]);
    gather(t, x[3]);
    x[3] = word(t[0], t[1], t[2], t[3]);
}

#endif

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const gift_plane *k = ctx->round_keys;
    gift_plane x[4];
    uint8_t constant = 0;

    gift_load(x, in);
    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        /* The S-box, section 2.1, leaves the planes 0 and 3 exchanged. */
        x[1] ^= x[0] & x[2];
        x[0] ^= x[1] & x[3];
        x[2] ^= x[0] | x[1];
        x[3] ^= x[2];
        x[1] ^= x[3];
        gift_plane t = (gift_plane)~x[3];
        x[2] ^= x[0] & x[1];
        x[3] = x[0];
        x[0] = t;
        permute(x);
        constant = GIFT_NEXT_CONSTANT(constant);
        x[3] ^= (gift_plane)(GIFT_TOP_BIT | constant);
        x[GIFT_V_PLANE] ^= *k++;
        x[GIFT_U_PLANE] ^= *k++;
    }
    gift_store(out, x);
}
