#include "block.h"

#include "g.h"
#include "rotate.h"
#include "words.h"

/* One round on the words of which a and b go into F. */
static void mix(const block_context *ctx, const uint32_t *k, const uint32_t *ab, uint32_t *cd) {
    uint32_t t0 = g(ctx, ab[0]);
    uint32_t t1 = g(ctx, rotl32(ab[1], 8));

    t0 += t1;
    cd[0] = rotl32(cd[0] ^ (t0 + k[0]), 31);
    cd[1] = rotl32(cd[1], 1) ^ (t0 + t1 + k[1]);
}

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *k = ctx->round_keys;
    uint32_t x[4];

    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load_word_le(in + 4 * i) ^ k[i];
    }
    k += 8;
    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2; pairs > 0; pairs--) {
        mix(ctx, k, x, x + 2);
        mix(ctx, k + 2, x + 2, x);
        k += 4;
    }
    k = ctx->round_keys + 4;
    for (uint8_t i = 0; i < 4; i++) {
        store_word_le(out + 4 * i, x[i ^ 2] ^ k[i]);
    }
}
