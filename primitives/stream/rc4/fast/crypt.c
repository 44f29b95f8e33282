#include "stream.h"

void stream_crypt(stream_context *ctx, uint8_t *out, const uint8_t *in, size_t length) {
    uint8_t *s = ctx->permutation;
    uint8_t i = ctx->i;
    uint8_t j = ctx->j;

    for (; length > 0; length--) {
        uint8_t si = s[++i];
        j = (uint8_t)(j + si);
        uint8_t sj = s[j];
        s[i] = sj;
        s[j] = si;
        *out++ = *in++ ^ s[(uint8_t)(si + sj)];
    }
    ctx->i = i;
    ctx->j = j;
}
