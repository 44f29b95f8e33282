#include "blowfish.h"

/* Schneier's function F. */
static uint32_t f(const block_context *ctx, uint32_t x) {
    const uint32_t *box = ctx->sboxes[0];
    uint32_t result = 0;

    for (uint8_t i = 0; i < 4; i++) {
        uint32_t looked_up = box[x >> 24];
        result = i == 2 ? result ^ looked_up : result + looked_up;
        x <<= 8;
        box += 256;
    }
    return result;
}

void blowfish_rounds(const block_context *ctx, uint32_t *halves, const uint32_t *p, int8_t step) {
    uint32_t right = halves[1];
    uint32_t left = halves[0];

    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        uint32_t mixed = left ^ *p;
        left = right ^ f(ctx, mixed);
        right = mixed;
        p += step;
    }
    halves[1] = left ^ *p;
    halves[0] = right ^ p[step];
}

void blowfish_encrypt(const block_context *ctx, uint32_t *halves) {
    blowfish_rounds(ctx, halves, ctx->subkeys, 1);
}
