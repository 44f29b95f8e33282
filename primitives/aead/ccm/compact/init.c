#include "aead.h"

void aead_init(aead_context *ctx, const uint8_t *key) {
    block_init(&ctx->cipher, key);
}
