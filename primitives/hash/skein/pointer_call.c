/* Skein by hash_block. Record: room for the state, the block, the tweak, the chaining value, room.
 */
#include "hash.h"

#include "pointer.h"

#define BLOCK PRIMITIVE_BLOCK_BYTES
#define TWEAK (2 * BLOCK)
#define CHAIN (2 * BLOCK + 16)

/* The Skein specification: types of unique block iteration and flags of the tweak, as they stand in
 * its highest byte. */
#define CONFIGURATION 4
#define MESSAGE       48
#define OUTPUT        63
#define FIRST         0x40
#define FINAL         0x80

/* Takes the block after length of its bytes have been counted; the routine does not keep the tweak.
 */
static void take(hash_context *ctx, uint8_t length, uint8_t type) {
    uint8_t *tweak = ctx->record.bytes + TWEAK;

    ctx->low += length;
    if (ctx->low < length) {
        ctx->high++;
    }
    for (uint8_t i = 0; i < 16; i++) {
        tweak[i] = 0;
    }
    for (uint8_t i = 0; i < 4; i++) {
        tweak[i] = (uint8_t)(ctx->low >> 8 * i);
        tweak[4 + i] = (uint8_t)(ctx->high >> 8 * i);
    }
    tweak[15] = type | ctx->first;
    ctx->first = 0;
    hash_block(ctx);
}

static void start(hash_context *ctx) {
    ctx->low = 0;
    ctx->high = 0;
    ctx->first = FIRST;
    ctx->used = 0;
}

static void clear(uint8_t *at, uint8_t length) {
    for (; length > 0; length--) {
        *at++ = 0;
    }
}

/* The Skein specification: the configuration block of a hash of one block, without a tree. */
void hash_init(hash_context *ctx) {
    uint8_t *block = ctx->record.bytes + BLOCK;

    clear(ctx->record.bytes + CHAIN, BLOCK);
    clear(block, BLOCK);
    block[0] = 'S';
    block[1] = 'H';
    block[2] = 'A';
    block[3] = '3';
    block[4] = 1;
    block[9] = PRIMITIVE_DIGEST_BYTES / 32;
    start(ctx);
    take(ctx, 32, CONFIGURATION | FINAL);
    start(ctx);
}

/* Up to a whole block waits, because the last one is marked in the tweak. */
void hash_update(hash_context *ctx, const uint8_t *in, size_t length) {
    for (; length > 0; length--) {
        if (ctx->used == BLOCK) {
            take(ctx, BLOCK, MESSAGE);
            ctx->used = 0;
        }
        ctx->record.bytes[BLOCK + ctx->used++] = *in++;
    }
}

/* The Skein specification: the last block of the message, then one of output, whose text is the
 * counter 0. */
void hash_final(hash_context *ctx, uint8_t *out) {
    uint8_t *block = ctx->record.bytes + BLOCK;

    clear(block + ctx->used, BLOCK - ctx->used);
    take(ctx, ctx->used, MESSAGE | FINAL);
    clear(block, BLOCK);
    start(ctx);
    take(ctx, 8, OUTPUT | FINAL);
    for (uint8_t i = 0; i < PRIMITIVE_DIGEST_BYTES; i++) {
        *out++ = ctx->record.bytes[CHAIN + i];
    }
}
