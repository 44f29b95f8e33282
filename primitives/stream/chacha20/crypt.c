#include "stream.h"

#include "chacha20.h"

void stream_crypt(stream_context *ctx, uint8_t *out, const uint8_t *in, size_t length) {
    uint8_t used = ctx->used_bytes;

    for (; length > 0; length--) {
        if (used == 64) {
            chacha20_block(ctx);
            used = 0;
        }
        *out++ = *in++ ^ ctx->stream[used++];
    }
    ctx->used_bytes = used;
}
