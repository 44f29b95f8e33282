#include "mac.h"

void mac_update(mac_context *ctx, const uint8_t *in, size_t length) {
    hash_update(&ctx->hash, in, length);
}
