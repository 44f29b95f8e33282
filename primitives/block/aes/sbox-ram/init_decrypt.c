#include "block.h"

#include "aes.h"

void block_init_decrypt(block_context *ctx, const uint8_t *key) {
    block_init(ctx, key);
    aes_make_sbox(ctx, 1);
}
