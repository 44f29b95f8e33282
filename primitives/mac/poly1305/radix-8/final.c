#include "poly1305.h"

#include <string.h>

void mac_final(mac_context *ctx, uint8_t *tag) {
    uint8_t *h = ctx->accumulator;
    uint8_t reduced[17];
    uint16_t carry;
    uint8_t keep;

    if (ctx->used_bytes > 0) {
        ctx->block[ctx->used_bytes++] = 1;
        memset(ctx->block + ctx->used_bytes, 0, 16u - ctx->used_bytes);
        poly1305_block(ctx, ctx->block, 0);
    }
    /* Twice, since the accumulator may be more than the modulus and a little. */
    for (uint8_t pass = 0; pass < 2; pass++) {
        carry = 5;
        for (uint8_t i = 0; i < 17; i++) {
            carry = (uint16_t)(carry + h[i]);
            reduced[i] = (uint8_t)carry;
            carry >>= 8;
        }
        keep = (uint8_t)((uint8_t)(reduced[16] >> 2) == 0 ? 0xFF : 0);
        reduced[16] = (uint8_t)(reduced[16] - 4);
        for (uint8_t i = 0; i < 17; i++) {
            h[i] = (uint8_t)((h[i] & keep) | (reduced[i] & (uint8_t)~keep));
        }
    }
    carry = 0;
    for (uint8_t i = 0; i < 16; i++) {
        carry = (uint16_t)(carry + h[i] + ctx->s[i]);
        tag[i] = (uint8_t)carry;
        carry >>= 8;
    }
}
