#include "mac.h"

void mac_init(mac_context *ctx, const uint8_t *key) {
    for (uint8_t i = 0; i < 16; i++) {
        ctx->key[i] = key[i];
        ctx->state[i] = key[i];
    }
    ctx->used_bytes = 0;
}
