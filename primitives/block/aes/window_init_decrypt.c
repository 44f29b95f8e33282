#include "block.h"

#include "aes.h"

void block_init_decrypt(block_context *ctx, const uint8_t *key) {
    block_init(ctx, key);
    for (uint8_t words = 4 * (PRIMITIVE_ROUNDS + 1) - PRIMITIVE_KEY_BYTES / 4; words > 0; words--) {
        aes_advance(ctx);
    }
}
