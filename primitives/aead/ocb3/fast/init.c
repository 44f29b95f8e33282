#include "aead.h"

#include <string.h>

#include "double.h"

void aead_init(aead_context *ctx, const uint8_t *key) {
    const uint8_t *before = ctx->dollar;

    block_init(&ctx->cipher, key);
#if defined(PART_INIT_DECRYPT)
    block_init_decrypt(&ctx->inverse, key);
#endif
    memset(ctx->star, 0, 16);
    block_encrypt(&ctx->cipher, ctx->star, ctx->star);
    memcpy(ctx->dollar, ctx->star, 16);
    double_block(ctx->dollar);
    for (uint8_t i = 0; i < OCB_MASKS; i++) {
        memcpy(ctx->masks[i], before, 16);
        double_block(ctx->masks[i]);
        before = ctx->masks[i];
    }
}
