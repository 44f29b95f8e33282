#include "block.h"

#include "setup.h"

void block_init_decrypt(block_context *ctx, const uint8_t *key) {
    prince_setup(ctx, key, 1);
}
