#include "twofish.h"

#include "rotate.h"

/* Specification, key schedule. */
void twofish_round_keys(const block_context *ctx, uint32_t *keys, uint8_t pair) {
    uint32_t x = pair * UINT32_C(0x02020202);
    uint32_t a = twofish_h(x, ctx->even);
    uint32_t b = rotl32(twofish_h(x + UINT32_C(0x01010101), ctx->odd), 8);

    a += b;
    keys[0] = a;
    keys[1] = rotl32(a + b, 9);
}

void twofish_whiten(const block_context *ctx, uint32_t *x, uint8_t pair) {
    uint32_t keys[2];

    for (uint8_t half = 0; half < 2; half++) {
        twofish_round_keys(ctx, keys, pair);
        *x++ ^= keys[0];
        *x++ ^= keys[1];
        pair++;
    }
}

/* Specification, function F; g is h with the vector S. */
void twofish_f(const block_context *ctx, uint32_t *f, const uint32_t *ab, uint8_t round) {
    uint32_t t0 = twofish_h(ab[0], ctx->list);
    uint32_t t1 = twofish_h(rotl32(ab[1], 8), ctx->list);

    twofish_round_keys(ctx, f, (uint8_t)(4 + round));
    t0 += t1;
    f[0] += t0;
    f[1] += t0 + t1;
}
