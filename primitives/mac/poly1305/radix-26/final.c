#include "poly1305.h"

#include <string.h>

#include "limbs.h"

/* Carries, and brings back what stands above bit 130 times five. */
static void carry_limbs(uint32_t *h) {
    uint32_t carry = 0;

    for (uint8_t i = 0; i < 5; i++) {
        h[i] += carry;
        carry = h[i] >> 26;
        h[i] &= LIMB_MASK;
    }
    h[0] += 5 * carry;
}

void mac_final(mac_context *ctx, uint8_t *tag) {
    uint32_t *h = ctx->accumulator;
    uint32_t reduced[5];
    uint32_t words[4];
    uint32_t carry = 5;
    uint32_t keep;

    if (ctx->used_bytes > 0) {
        ctx->block[ctx->used_bytes++] = 1;
        memset(ctx->block + ctx->used_bytes, 0, 16u - ctx->used_bytes);
        poly1305_block(ctx, ctx->block, 0);
    }
    carry_limbs(h);
    carry_limbs(h);
    /* Less the modulus, where that is not negative. */
    for (uint8_t i = 0; i < 5; i++) {
        reduced[i] = h[i] + carry;
        carry = reduced[i] >> 26;
        reduced[i] &= LIMB_MASK;
    }
    keep = carry - 1;
    for (uint8_t i = 0; i < 5; i++) {
        h[i] = (h[i] & keep) | (reduced[i] & ~keep);
    }
    words[0] = h[0] | h[1] << 26;
    words[1] = h[1] >> 6 | h[2] << 20;
    words[2] = h[2] >> 12 | h[3] << 14;
    words[3] = h[3] >> 18 | h[4] << 8;
    carry = 0;
    for (uint8_t i = 0; i < 4; i++) {
        uint64_t sum = (uint64_t)words[i] + load32_le(ctx->s + 4 * i) + carry;
        store32_le(tag + 4 * i, (uint32_t)sum);
        carry = (uint32_t)(sum >> 32);
    }
}
