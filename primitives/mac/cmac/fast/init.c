#include "mac.h"

#include <string.h>

#include "double.h"

/* SP 800-38B, section 6.1. */
void mac_init(mac_context *ctx, const uint8_t *key) {
    block_init(&ctx->cipher, key);
    memset(ctx->state, 0, sizeof ctx->state);
    block_encrypt(&ctx->cipher, ctx->subkeys[0], ctx->state);
    double_block(ctx->subkeys[0]);
    memcpy(ctx->subkeys[1], ctx->subkeys[0], sizeof ctx->subkeys[1]);
    double_block(ctx->subkeys[1]);
    ctx->used_bytes = 0;
}
