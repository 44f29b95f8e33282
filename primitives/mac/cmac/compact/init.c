#include "mac.h"

#include <string.h>

void mac_init(mac_context *ctx, const uint8_t *key) {
    block_init(&ctx->cipher, key);
    memset(ctx->state, 0, sizeof ctx->state);
    ctx->used_bytes = 0;
}
