#include "misty1.h"

void misty1_add_fo(const block_context *ctx, uint16_t *to, const uint16_t *from, uint8_t k) {
    uint16_t left = from[0] ^ ctx->key[k & 7];
    uint16_t right = from[1];

    left = misty1_fi(left, ctx->mixed[(k + 5) & 7]) ^ right;
    right = misty1_fi(right ^ ctx->key[(k + 2) & 7], ctx->mixed[(k + 1) & 7]) ^ left;
    left = misty1_fi(left ^ ctx->key[(k + 7) & 7], ctx->mixed[(k + 3) & 7]) ^ right;
    to[0] ^= right ^ ctx->key[(k + 4) & 7];
    to[1] ^= left;
}

void misty1_fl_keys(const block_context *ctx, uint16_t *keys, uint8_t k) {
    uint8_t half = k >> 1;

    if (k & 1) {
        keys[0] = ctx->mixed[(half + 2) & 7];
        keys[1] = ctx->key[(half + 4) & 7];
    } else {
        keys[0] = ctx->key[half & 7];
        keys[1] = ctx->mixed[(half + 6) & 7];
    }
}
