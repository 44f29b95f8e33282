#include "block.h"

#include "cipher.h"

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    for (uint8_t i = 0; i < 8; i++) {
#if DES_WHITENED
        out[i] = in[i] ^ ctx->key[i];
#else
        out[i] = in[i];
#endif
    }
#if DES_WHITENED
    des_pass(out, ctx->key + 8, 0);
    for (uint8_t i = 0; i < 8; i++) {
        out[i] ^= ctx->key[16 + i];
    }
#elif DES_PASSES == 3
    des_pass(out, ctx->key, 0);
    des_pass(out, ctx->key + 8, 1);
    des_pass(out, ctx->key + DES_THIRD_KEY, 0);
#else
    des_pass(out, ctx->key, 0);
#endif
}
