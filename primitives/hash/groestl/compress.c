#include "hash.h"

#include "groestl.h"

/* The chaining value h becomes P(h + m) + Q(m) + h. */
void groestl_compress(hash_context *ctx) {
    uint8_t state[PRIMITIVE_BLOCK_BYTES];

    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        state[i] = ctx->chain[i] ^ ctx->block[i];
    }
    groestl_permute(state, 0);
    groestl_permute(ctx->block, 1);
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        ctx->chain[i] ^= state[i] ^ ctx->block[i];
    }
    if (++ctx->blocks_low == 0) {
        ctx->blocks_high++;
    }
}
