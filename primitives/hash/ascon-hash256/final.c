#include "hash.h"

#include "ascon.h"

/* NIST SP 800-232, section 5.1. */
void hash_final(hash_context *ctx, uint8_t *out) {
    ctx->state.bytes[word_byte(ctx->used_bytes)] ^= 1;
    for (uint8_t i = 0; i < PRIMITIVE_DIGEST_BYTES; i++) {
        if (i % PRIMITIVE_BLOCK_BYTES == 0) {
            ascon_permute(ctx->state.words);
        }
        *out++ = ctx->state.bytes[word_byte(i % PRIMITIVE_BLOCK_BYTES)];
    }
}
