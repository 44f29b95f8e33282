#include "aead.h"

#include <string.h>

#include "double.h"

void aead_init(aead_context *ctx, const uint8_t *key) {
    block_init(&ctx->cipher, key);
    memset(ctx->subkey, 0, sizeof ctx->subkey);
    block_encrypt(&ctx->cipher, ctx->subkey, ctx->subkey);
    double_block(ctx->subkey);
}
