#include "block.h"

#include "sm4.h"

/* Four words further the expansion runs backwards on the words in reverse order. */
void block_init_decrypt(block_context *ctx, const uint8_t *key) {
    uint32_t window[4];

    block_init(ctx, key);
    for (uint8_t i = 0; i < 4; i++) {
        window[i] = ctx->window[i];
    }
    for (uint8_t number = 0; number < PRIMITIVE_ROUNDS; number++) {
        sm4_key_round(window, number);
    }
    for (uint8_t i = 0; i < 4; i++) {
        ctx->window[i] = window[3 - i];
    }
}
