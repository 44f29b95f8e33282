#include "mac.h"

#include <string.h>

#include "double.h"

/* SP 800-38B, section 6.2, with the subkey of section 6.1. */
void mac_final(mac_context *ctx, uint8_t *tag) {
    uint8_t subkey[PRIMITIVE_BLOCK_BYTES];

    memset(subkey, 0, sizeof subkey);
    block_encrypt(&ctx->cipher, subkey, subkey);
    double_block(subkey);
    if (ctx->used_bytes < PRIMITIVE_BLOCK_BYTES) {
        ctx->state[ctx->used_bytes] ^= 0x80;
        double_block(subkey);
    }
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        ctx->state[i] ^= subkey[i];
    }
    block_encrypt(&ctx->cipher, tag, ctx->state);
}
