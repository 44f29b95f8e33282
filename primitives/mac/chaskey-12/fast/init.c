#include "mac.h"

#include "bytes.h"

void mac_init(mac_context *ctx, const uint8_t *key) {
    for (uint8_t i = 0; i < 4; i++) {
        ctx->key[i] = load32_le(key + 4 * i);
        ctx->state[i] = ctx->key[i];
    }
    ctx->used_bytes = 0;
}
