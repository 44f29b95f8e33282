#include "stream.h"

#include "bytes.h"
#include "seal.h"

void stream_init(stream_context *ctx, const uint8_t *key, const uint8_t *iv) {
    uint32_t words[5];

    for (uint8_t i = 0; i < 5; i++) {
        words[i] = load32_be(key + 4 * i);
    }
    seal_fill(ctx->t, 512, words, SEAL_T);
    seal_fill(ctx->s, 256, words, SEAL_S);
    seal_fill(ctx->r, 16, words, SEAL_R);
    ctx->index = load32_be(iv);
    ctx->block = 0;
    ctx->used_bytes = 16;
}
