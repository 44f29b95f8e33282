#include "aead.h"

#include <string.h>

void aead_init(aead_context *ctx, const uint8_t *key) {
    block_init(&ctx->cipher, key);
    memset(ctx->hash_key, 0, 16);
    block_encrypt(&ctx->cipher, ctx->hash_key, ctx->hash_key);
}
