#include "stream.h"

void stream_crypt(stream_context *ctx, uint8_t *out, const uint8_t *in, size_t length) {
    uint8_t *s = ctx->permutation;

    while (length-- > 0) {
        uint8_t si = s[++ctx->i];
        uint8_t sj = s[ctx->j = (uint8_t)(ctx->j + si)];
        s[ctx->i] = sj;
        s[ctx->j] = si;
        *out++ = *in++ ^ s[(uint8_t)(si + sj)];
    }
}
