#include "stream.h"

#include "bytes.h"
#include "seal.h"

void stream_init(stream_context *ctx, const uint8_t *key, const uint8_t *iv) {
    for (uint8_t i = 0; i < 5; i++) {
        ctx->key[i] = load32_be(key + 4 * i);
    }
    seal_fill(ctx->t, 512, ctx->key, SEAL_T);
    ctx->s_number = 0;
    ctx->index = load32_be(iv);
    ctx->block = 0;
    ctx->used_bytes = 16;
}
