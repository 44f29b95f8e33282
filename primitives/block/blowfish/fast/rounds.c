#include "blowfish.h"

void blowfish_encrypt(const block_context *ctx, uint32_t *halves) {
    const uint32_t *p = ctx->subkeys;
    uint32_t left = halves[0];
    uint32_t right = halves[1];

    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2; pairs > 0; pairs--) {
        left ^= *p++;
        right ^= blowfish_f(ctx, left);
        right ^= *p++;
        left ^= blowfish_f(ctx, right);
    }
    halves[0] = right ^ p[1];
    halves[1] = left ^ p[0];
}
