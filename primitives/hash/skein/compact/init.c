#include "hash.h"

#include "skein.h"

/* The Skein specification: the configuration block of a hash of one block, without a tree.
 */
void hash_init(hash_context *ctx) {
    for (uint8_t i = 0; i < SKEIN_WORDS; i++) {
        ctx->chain[i] = 0;
    }
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        ctx->block[i] = 0;
    }
    ctx->block[0] = 'S';
    ctx->block[1] = 'H';
    ctx->block[2] = 'A';
    ctx->block[3] = '3';
    ctx->block[4] = 1;
    ctx->block[9] = PRIMITIVE_DIGEST_BYTES / 32;
    skein_start(ctx);
    skein_compress(ctx, 32, SKEIN_CONFIGURATION | SKEIN_FINAL);
    skein_start(ctx);
    ctx->used_bytes = 0;
}
