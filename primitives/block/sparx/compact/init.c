#include "block.h"

#include "sparx.h"

void block_init(block_context *ctx, const uint8_t *key) {
    for (uint8_t i = 0; i < 8; i++) {
        ctx->key[i] = sparx_load(key + 2 * i);
    }
}
