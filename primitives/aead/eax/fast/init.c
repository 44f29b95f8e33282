#include "aead.h"

#include <string.h>

#include "double.h"

void aead_init(aead_context *ctx, const uint8_t *key) {
    block_init(&ctx->cipher, key);
    memset(ctx->tweaked, 0, sizeof ctx->tweaked);
    for (uint8_t tweak = 0; tweak < 3; tweak++) {
        ctx->tweaked[tweak][PRIMITIVE_BLOCK_BYTES - 1] = tweak;
        block_encrypt(&ctx->cipher, ctx->tweaked[tweak], ctx->tweaked[tweak]);
    }
    /* The block of tweak 0 is that of zeros, of which the subkeys are multiples. */
    memcpy(ctx->subkeys[0], ctx->tweaked[0], PRIMITIVE_BLOCK_BYTES);
    double_block(ctx->subkeys[0]);
    memcpy(ctx->subkeys[1], ctx->subkeys[0], PRIMITIVE_BLOCK_BYTES);
    double_block(ctx->subkeys[1]);
}
