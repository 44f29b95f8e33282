#include "block.h"

/* HIGHT paper, section 2.2. The constants come from the shift register
 * x^7 + x^3 + 1. */
void block_init(block_context *ctx, const uint8_t *key) {
    uint8_t *subkeys = ctx->subkeys;
    uint8_t delta = 0x5A;

    for (uint8_t i = 0; i < 4; i++) {
        ctx->whitening[i] = key[12 + i];
        ctx->whitening[i + 4] = key[i];
    }
    for (uint8_t i = 0; i < 8; i++) {
        for (uint8_t j = 0; j < 16; j++) {
            *subkeys++ = (uint8_t)(key[(j & 8) | ((j - i) & 7)] + delta);
            delta = (uint8_t)(delta >> 1 | ((delta << 6 ^ delta << 3) & 0x40));
        }
    }
}
