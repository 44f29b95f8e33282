#include "hash.h"

#include "groestl.h"

void hash_update(hash_context *ctx, const uint8_t *in, size_t length) {
    uint8_t used = ctx->used_bytes;

    for (; length > 0; length--) {
        ctx->block[used++] = *in++;
        if (used == PRIMITIVE_BLOCK_BYTES) {
            groestl_compress(ctx);
            used = 0;
        }
    }
    ctx->used_bytes = used;
}
