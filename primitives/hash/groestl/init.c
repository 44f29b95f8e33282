#include "hash.h"

/* The Grøstl specification: the initial value is the length of the hash in bits. */
void hash_init(hash_context *ctx) {
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        ctx->chain[i] = 0;
    }
    ctx->chain[PRIMITIVE_BLOCK_BYTES - 2] = PRIMITIVE_DIGEST_BYTES / 32;
    ctx->blocks_low = 0;
    ctx->blocks_high = 0;
    ctx->used_bytes = 0;
}
