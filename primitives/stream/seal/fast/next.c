#include "stream.h"

#include "bytes.h"
#include "rotate.h"
#include "seal.h"

#define BLOCKS_PER_PASS 64

/* The specification's 0x7fc: the byte offset of a word of T, here the word's index. */
#define LOOK(x) t[((x) >> 2) & 0x1ff]

/* The specification's Initialize: two rounds, n1 to n4, one round. */
static void start_pass(stream_context *ctx) {
    const uint32_t *t = ctx->t;
    uint32_t *x = ctx->registers;
    uint32_t turned = ctx->index;
    const uint32_t *r = ctx->r + 4 * (ctx->block / BLOCKS_PER_PASS);

    for (uint8_t i = 0; i < 4; i++) {
        x[i] = turned ^ r[i];
        turned = rotl32(turned, 24);
    }
    for (uint8_t step = 0; step < 12; step++) {
        uint8_t i = step & 3;
        if (step == 8) {
            ctx->n[0] = x[3];
            ctx->n[1] = x[1];
            ctx->n[2] = x[0];
            ctx->n[3] = x[2];
        }
        x[(i + 1) & 3] += LOOK(x[i]);
        x[i] = rotl32(x[i], 23);
    }
}

/* The specification's loop over i, one turn of it. */
void seal_next(stream_context *ctx) {
    const uint32_t *t = ctx->t;
    const uint32_t *s = ctx->s + 4 * (ctx->block % BLOCKS_PER_PASS);
    const uint32_t *n = ctx->n + 2 * (ctx->block & 1);
    uint32_t p;
    uint32_t q;

    if (ctx->block % BLOCKS_PER_PASS == 0) {
        start_pass(ctx);
    }
    uint32_t a = ctx->registers[0];
    uint32_t b = ctx->registers[1];
    uint32_t c = ctx->registers[2];
    uint32_t d = ctx->registers[3];

    p = a;
    b += LOOK(p);
    a = rotl32(a, 23);
    b ^= a;
    q = b;
    c ^= LOOK(q);
    b = rotl32(b, 23);
    c += b;
    p = (p & 0x7fc) + c;
    d += LOOK(p);
    c = rotl32(c, 23);
    d ^= c;
    q = (q & 0x7fc) + d;
    a ^= LOOK(q);
    d = rotl32(d, 23);
    a += d;
    p = (p & 0x7fc) + a;
    b ^= LOOK(p);
    a = rotl32(a, 23);
    q = (q & 0x7fc) + b;
    c += LOOK(q);
    b = rotl32(b, 23);
    p = (p & 0x7fc) + c;
    d ^= LOOK(p);
    c = rotl32(c, 23);
    q = (q & 0x7fc) + d;
    a += LOOK(q);
    d = rotl32(d, 23);

    store32_be(ctx->stream + 0, b + s[0]);
    store32_be(ctx->stream + 4, c ^ s[1]);
    store32_be(ctx->stream + 8, d + s[2]);
    store32_be(ctx->stream + 12, a ^ s[3]);
    ctx->registers[0] = a + n[0];
    ctx->registers[1] = b + n[1];
    ctx->registers[2] = c ^ n[0];
    ctx->registers[3] = d ^ n[1];
    if (++ctx->block == 0) {
        ctx->index++;
    }
}
