#include "mac.h"

/* SP 800-38B, section 6.2. */
void mac_final(mac_context *ctx, uint8_t *tag) {
    const uint8_t *subkey = ctx->subkeys[0];

    if (ctx->used_bytes < PRIMITIVE_BLOCK_BYTES) {
        ctx->state[ctx->used_bytes] ^= 0x80;
        subkey = ctx->subkeys[1];
    }
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        ctx->state[i] ^= subkey[i];
    }
    block_encrypt(&ctx->cipher, tag, ctx->state);
}
