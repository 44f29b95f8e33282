#include "stream.h"

/* Returns the next byte of the key stream; both indices stay in registers. */
static inline uint8_t next(uint8_t *s, uint8_t *i, uint8_t *j) {
    uint8_t si = s[++*i];
    *j = (uint8_t)(*j + si);
    uint8_t sj = s[*j];

    s[*i] = sj;
    s[*j] = si;
    return s[(uint8_t)(si + sj)];
}

void stream_crypt(stream_context *ctx, uint8_t *out, const uint8_t *in, size_t length) {
    uint8_t *s = ctx->permutation;
    uint8_t i = ctx->i;
    uint8_t j = ctx->j;

    /* Two bytes in each turn. */
    for (; length >= 2; length -= 2) {
        *out++ = *in++ ^ next(s, &i, &j);
        *out++ = *in++ ^ next(s, &i, &j);
    }
    if (length > 0) {
        *out = *in ^ next(s, &i, &j);
    }
    ctx->i = i;
    ctx->j = j;
}
