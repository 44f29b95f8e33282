#include "block.h"

#include "bytes.h"

void block_init(block_context *ctx, const uint8_t *key) {
    for (uint8_t i = 0; i < 8; i++) {
        ctx->prekeys[i] = 0;
    }
    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES / 4; i++) {
        ctx->prekeys[i] = load32_le(key + 4 * i);
    }
#if PRIMITIVE_KEY_BYTES < 32
    ctx->prekeys[PRIMITIVE_KEY_BYTES / 4] = 1;
#endif
}
