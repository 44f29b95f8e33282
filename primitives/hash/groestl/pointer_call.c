/* Groestl-256 by hash_block. Record: room for the state, the block, the chaining value, a byte that
 * is 1 for the output transformation, room. */
#include "hash.h"

#include "pointer.h"

#define BLOCK     PRIMITIVE_BLOCK_BYTES
#define CHAIN     (2 * BLOCK)
#define LAST      (3 * BLOCK)
#define LENGTH_AT (BLOCK - 8)

static void take(hash_context *ctx) {
    hash_block(ctx);
    if (++ctx->low == 0) {
        ctx->high++;
    }
}

/* The Groestl specification: the initial value is the length of the hash in bits. */
void hash_init(hash_context *ctx) {
    uint8_t *chain = ctx->record.bytes + CHAIN;

    for (uint8_t i = 0; i < BLOCK; i++) {
        chain[i] = 0;
    }
    chain[BLOCK - 2] = PRIMITIVE_DIGEST_BYTES / 32;
    ctx->record.bytes[LAST] = 0;
    ctx->low = 0;
    ctx->high = 0;
    ctx->used = 0;
}

void hash_update(hash_context *ctx, const uint8_t *in, size_t length) {
    for (; length > 0; length--) {
        ctx->record.bytes[BLOCK + ctx->used++] = *in++;
        if (ctx->used == BLOCK) {
            take(ctx);
            ctx->used = 0;
        }
    }
}

/* The Groestl specification: the length is the number of blocks, this one included. */
void hash_final(hash_context *ctx, uint8_t *out) {
    uint8_t *block = ctx->record.bytes + BLOCK;
    uint8_t used = ctx->used;

    block[used++] = 0x80;
    while (used != LENGTH_AT) {
        if (used == BLOCK) {
            take(ctx);
            used = 0;
        }
        block[used++] = 0;
    }
    uint32_t blocks = ctx->low + 1;
    uint32_t carried = ctx->high + (blocks == 0);
    for (uint8_t i = 0; i < 4; i++) {
        block[LENGTH_AT + i] = (uint8_t)(carried >> (24 - 8 * i));
        block[LENGTH_AT + 4 + i] = (uint8_t)(blocks >> (24 - 8 * i));
    }
    hash_block(ctx);
    for (uint8_t i = 0; i < BLOCK; i++) {
        block[i] = 0;
    }
    ctx->record.bytes[LAST] = 1;
    hash_block(ctx);
    for (uint8_t i = 0; i < PRIMITIVE_DIGEST_BYTES; i++) {
        *out++ = ctx->record.bytes[CHAIN + BLOCK - PRIMITIVE_DIGEST_BYTES + i];
    }
}
