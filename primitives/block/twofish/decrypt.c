#include "block.h"

#include "g.h"
#include "rotate.h"
#include "words.h"

/* Undoes one round on the words of which a and b go into F. */
static void unmix(const block_context *ctx, const uint32_t *k, const uint32_t *ab, uint32_t *cd) {
    uint32_t t0 = g(ctx, ab[0]);
    uint32_t t1 = g(ctx, rotl32(ab[1], 8));

    t0 += t1;
    cd[0] = rotl32(cd[0], 1) ^ (t0 + k[0]);
    cd[1] = rotl32(cd[1] ^ (t0 + t1 + k[1]), 31);
}

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *k = ctx->round_keys + 4;
    uint32_t x[4];

    for (uint8_t i = 0; i < 4; i++) {
        x[i ^ 2] = load_word_le(in + 4 * i) ^ k[i];
    }
    k = ctx->round_keys + 8 + 2 * PRIMITIVE_ROUNDS;
    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2; pairs > 0; pairs--) {
        k -= 4;
        unmix(ctx, k + 2, x + 2, x);
        unmix(ctx, k, x, x + 2);
    }
    k = ctx->round_keys;
    for (uint8_t i = 0; i < 4; i++) {
        store_word_le(out + 4 * i, x[i] ^ k[i]);
    }
}
