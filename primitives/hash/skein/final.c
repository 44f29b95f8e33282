#include "hash.h"

#include "skein.h"
#include "word64.h"

/* The Skein specification: the last block of the message, then one of output, whose
 * text is the counter 0. */
void hash_final(hash_context *ctx, uint8_t *out) {
    for (uint8_t i = ctx->used_bytes; i < PRIMITIVE_BLOCK_BYTES; i++) {
        ctx->block[i] = 0;
    }
    skein_compress(ctx, ctx->used_bytes, SKEIN_MESSAGE | SKEIN_FINAL);
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        ctx->block[i] = 0;
    }
    skein_start(ctx);
    skein_compress(ctx, 8, SKEIN_OUTPUT | SKEIN_FINAL);
    for (uint8_t i = 0; i < PRIMITIVE_DIGEST_BYTES / 8; i++) {
        store64_le(out + 8 * i, ctx->chain[i]);
    }
}
