#include "mac.h"

#include "pad.h"

void mac_init(mac_context *ctx, const uint8_t *key) {
    hmac_start(&ctx->inner, key, 0x36);
    hmac_start(&ctx->outer, key, 0x5C);
}
