#include "hash.h"

#include "skein.h"

void hash_update(hash_context *ctx, const uint8_t *in, size_t length) {
    uint8_t used = ctx->used_bytes;

    for (; length > 0; length--) {
        if (used == PRIMITIVE_BLOCK_BYTES) {
            skein_compress(ctx, used, SKEIN_MESSAGE);
            used = 0;
        }
        ctx->block[used++] = *in++;
    }
    ctx->used_bytes = used;
}
