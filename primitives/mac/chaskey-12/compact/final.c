#include "chaskey.h"

/* Section 3 of the paper, "TimesTwo". */
static void double_key(uint8_t *key) {
    uint8_t carry = 0x87 & (0u - (key[15] >> 7));

    for (uint8_t i = 0; i < 16; i++) {
        uint8_t next = key[i] >> 7;
        key[i] = (uint8_t)((uint8_t)(key[i] << 1) ^ carry);
        carry = next;
    }
}

static void add(uint8_t *to, const uint8_t *from) {
    for (uint8_t i = 0; i < 16; i++) {
        to[i] ^= from[i];
    }
}

void mac_final(mac_context *ctx, uint8_t *tag) {
    double_key(ctx->key);
    if (ctx->used_bytes < 16) {
        double_key(ctx->key);
        ctx->state[ctx->used_bytes] ^= 1;
    }
    add(ctx->state, ctx->key);
    chaskey_permute(ctx->state);
    add(ctx->state, ctx->key);
    for (uint8_t i = 0; i < 16; i++) {
        tag[i] = ctx->state[i];
    }
}
