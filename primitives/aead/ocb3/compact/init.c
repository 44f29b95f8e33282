#include "aead.h"

#include <string.h>

void aead_init(aead_context *ctx, const uint8_t *key) {
    block_init(&ctx->cipher, key);
#if defined(PART_INIT_DECRYPT)
    block_init_decrypt(&ctx->inverse, key);
#endif
    memset(ctx->star, 0, 16);
    block_encrypt(&ctx->cipher, ctx->star, ctx->star);
}
