#include "rc4.h"

uint8_t rc4_step(stream_context *ctx, uint8_t add) {
    uint8_t *s = ctx->permutation;
    uint8_t *si = s + ++ctx->i;
    uint8_t old = *si;
    uint8_t *sj = s + (ctx->j = (uint8_t)(ctx->j + old + add));

    *si = *sj;
    *sj = old;
    return s[(uint8_t)(*si + old)];
}
