#include "block.h"

#include "clefia.h"

void block_init(block_context *ctx, const uint8_t *key) {
    clefia_begin(ctx, key);
}
