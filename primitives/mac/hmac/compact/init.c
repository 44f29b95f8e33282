#include "mac.h"

#include <string.h>

#include "pad.h"

void mac_init(mac_context *ctx, const uint8_t *key) {
    memcpy(ctx->key, key, PRIMITIVE_KEY_BYTES);
    hmac_start(&ctx->hash, key, 0x36);
}
