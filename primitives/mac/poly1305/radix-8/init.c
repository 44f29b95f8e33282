#include "mac.h"

#include <string.h>

void mac_init(mac_context *ctx, const uint8_t *key) {
    memset(ctx->accumulator, 0, sizeof ctx->accumulator);
    memcpy(ctx->r, key, 16);
    memcpy(ctx->s, key + 16, 16);
    for (uint8_t i = 0; i < 16; i = (uint8_t)(i + 4)) {
        ctx->r[i + 3] &= 0x0F;
        if (i > 0) {
            ctx->r[i] &= 0xFC;
        }
    }
    ctx->used_bytes = 0;
}
