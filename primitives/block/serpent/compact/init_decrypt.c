#include "block.h"

#include "serpent.h"

void block_init_decrypt(block_context *ctx, const uint8_t *key) {
    block_init(ctx, key);
    for (uint8_t i = 0; i < 4 * (PRIMITIVE_ROUNDS + 1); i++) {
        serpent_next_prekey(ctx->prekeys, i);
    }
}
