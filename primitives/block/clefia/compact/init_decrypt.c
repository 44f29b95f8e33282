#include "block.h"

#include "clefia.h"

void block_init_decrypt(block_context *ctx, const uint8_t *key) {
    uint8_t round_keys[16];

    clefia_begin(ctx, key);
    for (uint8_t i = 0; i < PRIMITIVE_ROUNDS / 2; i++) {
        clefia_next_keys(round_keys, ctx, i);
    }
}
