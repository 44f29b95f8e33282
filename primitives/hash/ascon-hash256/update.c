#include "hash.h"

#include "ascon.h"

/* NIST SP 800-232, section 5.1. */
void hash_update(hash_context *ctx, const uint8_t *in, size_t length) {
    uint8_t used = ctx->used_bytes;

    for (; length > 0; length--) {
        ctx->state.bytes[word_byte(used++)] ^= *in++;
        if (used == PRIMITIVE_BLOCK_BYTES) {
            ascon_permute(ctx->state.words);
            used = 0;
        }
    }
    ctx->used_bytes = used;
}
