#include "block.h"

void block_init(block_context *ctx, const uint8_t *key) {
    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        ctx->window[i] = key[i];
    }
    ctx->position = 0;
    ctx->rcon = 1;
}
