#include "block.h"

#include "rotate.h"
#include "serpent.h"

/* The inverses of the S-boxes. */
static const ROM uint8_t inverse_sboxes[8][16] = {
    {13, 3, 11, 0, 10, 6, 5, 12, 1, 14, 4, 7, 15, 9, 8, 2},
    {5, 8, 2, 14, 15, 6, 12, 3, 11, 4, 7, 9, 1, 13, 10, 0},
    {12, 9, 15, 4, 11, 14, 1, 2, 0, 3, 6, 13, 5, 8, 10, 7},
    {0, 9, 10, 7, 11, 14, 6, 13, 3, 5, 12, 2, 4, 8, 15, 1},
    {5, 0, 8, 3, 10, 9, 7, 14, 2, 12, 11, 6, 4, 15, 13, 1},
    {8, 15, 2, 9, 4, 1, 13, 14, 11, 6, 5, 3, 7, 12, 10, 0},
    {15, 10, 1, 13, 5, 3, 6, 0, 4, 9, 14, 7, 2, 12, 8, 11},
    {3, 0, 6, 13, 9, 14, 15, 8, 5, 12, 11, 7, 10, 1, 4, 2},
};

/* Undoes the linear transformation. */
static void unlinear(uint32_t *x) {
    uint32_t x1 = x[1];
    uint32_t x3 = x[3];
    uint32_t x2 = rotl32(x[2], 10) ^ x3 ^ (rotl32(x1, 7) & UINT32_C(0xFFFFFF80));
    uint32_t x0 = rotl32(x[0], 27) ^ x1 ^ x3;

    x[3] = rotl32(x3, 25) ^ x2 ^ x0 << 3;
    x[1] = rotl32(x1, 31) ^ x0 ^ x2;
    x[2] = rotl32(x2, 29);
    x[0] = rotl32(x0, 19);
}

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint32_t x[4];
    const uint32_t *round_key = ctx->round_keys + 4 * PRIMITIVE_ROUNDS;

    serpent_load(x, in);
    serpent_add(x, round_key);
    for (uint8_t round = PRIMITIVE_ROUNDS; round > 0;) {
        if (round < PRIMITIVE_ROUNDS) {
            unlinear(x);
        }
        round--;
        serpent_substitute(x, inverse_sboxes[round & 7]);
        round_key -= 4;
        serpent_add(x, round_key);
    }
    serpent_store(out, x);
}
