#include "mac.h"

/* SP 800-38B, section 6.2, step 6; the last block is left for mac_final. */
void mac_update(mac_context *ctx, const uint8_t *in, size_t length) {
    uint8_t used = ctx->used_bytes;

    for (; length > 0; length--) {
        if (used == PRIMITIVE_BLOCK_BYTES) {
            block_encrypt(&ctx->cipher, ctx->state, ctx->state);
            used = 0;
        }
        ctx->state[used++] ^= *in++;
    }
    ctx->used_bytes = used;
}
