#include "block.h"

#include "bytes.h"

void block_init(block_context *ctx, const uint8_t *key) {
    for (uint8_t i = 0; i < 4; i++) {
        ctx->key[i] = load32_be(key + 4 * i);
    }
}
