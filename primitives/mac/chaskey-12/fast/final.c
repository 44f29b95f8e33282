#include "chaskey.h"

#include <string.h>

#include "bytes.h"

/* Section 3 of the paper, "TimesTwo". */
static void double_words(uint32_t *x) {
    uint32_t carry = x[3] >> 31;

    for (uint8_t i = 3; i > 0; i--) {
        x[i] = x[i] << 1 | x[i - 1] >> 31;
    }
    x[0] = x[0] << 1 ^ (carry != 0 ? 0x87u : 0u);
}

void mac_final(mac_context *ctx, uint8_t *tag) {
    double_words(ctx->key);
    if (ctx->used_bytes < 16) {
        double_words(ctx->key);
        ctx->block[ctx->used_bytes++] = 1;
        memset(ctx->block + ctx->used_bytes, 0, 16u - ctx->used_bytes);
    }
    chaskey_add(ctx->state, ctx->block);
    for (uint8_t i = 0; i < 4; i++) {
        ctx->state[i] ^= ctx->key[i];
    }
    chaskey_permute(ctx->state);
    for (uint8_t i = 0; i < 4; i++) {
        store32_le(tag + 4 * i, ctx->state[i] ^ ctx->key[i]);
    }
}
