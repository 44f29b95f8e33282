#include "chaskey.h"

/* The last block is left for mac_final. */
void mac_update(mac_context *ctx, const uint8_t *in, size_t length) {
    for (; length > 0; length--) {
        if (ctx->used_bytes == 16) {
            chaskey_permute(ctx->state);
            ctx->used_bytes = 0;
        }
        ctx->state[ctx->used_bytes++] ^= *in++;
    }
}
