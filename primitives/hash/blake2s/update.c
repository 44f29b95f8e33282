#include "hash.h"

#include "blake2s.h"

void hash_update(hash_context *ctx, const uint8_t *in, size_t length) {
    uint8_t used = ctx->used_bytes;

    for (; length > 0; length--) {
        if (used == PRIMITIVE_BLOCK_BYTES) {
            blake2s_compress(ctx, used, 0);
            used = 0;
        }
        ctx->block[used++] = *in++;
    }
    ctx->used_bytes = used;
}
