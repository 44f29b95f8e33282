#include "hash.h"

#include "bytes.h"
#include "groestl.h"

#define LENGTH_AT (PRIMITIVE_BLOCK_BYTES - 8)

/* The Grøstl specification: the length is the number of blocks, this one included. */
void hash_final(hash_context *ctx, uint8_t *out) {
    uint8_t *state = ctx->block;
    uint8_t used = ctx->used_bytes;

    state[used++] = 0x80;
    while (used != LENGTH_AT) {
        if (used == PRIMITIVE_BLOCK_BYTES) {
            groestl_compress(ctx);
            used = 0;
        }
        state[used++] = 0;
    }
    uint32_t blocks = ctx->blocks_low + 1;
    store32_be(state + LENGTH_AT, ctx->blocks_high + (blocks == 0));
    store32_be(state + LENGTH_AT + 4, blocks);
    groestl_compress(ctx);
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        state[i] = ctx->chain[i];
    }
    groestl_permute(state, 0);
    for (uint8_t i = PRIMITIVE_BLOCK_BYTES - PRIMITIVE_DIGEST_BYTES; i < PRIMITIVE_BLOCK_BYTES;
         i++) {
        *out++ = ctx->chain[i] ^ state[i];
    }
}
