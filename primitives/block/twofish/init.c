#include "block.h"

#include "twofish.h"

void block_init(block_context *ctx, const uint8_t *key) {
    twofish_make_list(ctx->list, key);
    twofish_make_round_keys(ctx->round_keys, key);
}
