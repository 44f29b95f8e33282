#include "hash.h"

#include "sha1.h"

void hash_update(hash_context *ctx, const uint8_t *in, size_t length) {
    uint8_t used = ctx->used_bytes;

    while (length > 0) {
        if (used == 0 && length >= PRIMITIVE_BLOCK_BYTES) {
            sha1_compress(ctx, in);
            in += PRIMITIVE_BLOCK_BYTES;
            length -= PRIMITIVE_BLOCK_BYTES;
            continue;
        }
        ctx->block.bytes[used++] = *in++;
        length--;
        if (used == PRIMITIVE_BLOCK_BYTES) {
            sha1_compress(ctx, ctx->block.bytes);
            used = 0;
        }
    }
    ctx->used_bytes = used;
}
