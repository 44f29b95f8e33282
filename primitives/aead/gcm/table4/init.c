#include "aead.h"

#include <string.h>

void aead_init(aead_context *ctx, const uint8_t *key) {
    block_init(&ctx->cipher, key);
    memset(ctx->multiples, 0, sizeof ctx->multiples);
    block_encrypt(&ctx->cipher, ctx->multiples[8], ctx->multiples[8]);
    for (uint8_t n = 8; n > 1; n >>= 1) {
        const uint8_t *from = ctx->multiples[n];
        uint8_t *to = ctx->multiples[n >> 1];
        uint8_t carry = 0;

        for (uint8_t i = 0; i < 16; i++) {
            to[i] = (uint8_t)(from[i] >> 1 | carry);
            carry = (uint8_t)(from[i] << 7);
        }
        to[0] = (uint8_t)(to[0] ^ ((uint8_t)(0xE1 & -(from[15] & 1))));
    }
    for (uint8_t n = 2; n < 16; n = (uint8_t)(n << 1)) {
        for (uint8_t low = 1; low < n; low++) {
            for (uint8_t i = 0; i < 16; i++) {
                ctx->multiples[n + low][i] = ctx->multiples[n][i] ^ ctx->multiples[low][i];
            }
        }
    }
}
