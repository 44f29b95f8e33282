/* The calls of hash.h for the variants with the pointer interface. Their record begins with the
 * chaining value, its words from H to A, and the block. FIPS 180-4, sections 5.1.1, 5.3.2, 5.3.3
 * and 6.2. */
#include "hash.h"

#include "bytes.h"
#include "initial.h"
#include "pointer.h"

#ifndef LOAD32
#define LOAD32  load32_le
#define STORE32 store32_le
#endif

#define BLOCK     (ctx->record.bytes + 32)
#define LENGTH_AT (PRIMITIVE_BLOCK_BYTES - 8)

void hash_init(hash_context *ctx) {
    for (uint8_t i = 0; i < 8; i++) {
        STORE32(ctx->record.bytes + 28 - 4 * i, initial[i]);
    }
    ctx->low = 0;
    ctx->high = 0;
    ctx->used = 0;
}

static void put(hash_context *ctx, uint8_t byte) {
    BLOCK[ctx->used++] = byte;
    if (ctx->used == PRIMITIVE_BLOCK_BYTES) {
        ctx->used = 0;
        hash_block(ctx);
    }
}

/* Bytes are counted by size_t, which may have 16 bits. */
void hash_update(hash_context *ctx, const uint8_t *in, size_t length) {
    ctx->low += (uint32_t)length;
    if (ctx->low < (uint32_t)length) {
        ctx->high++;
    }
    while (length > 0) {
        put(ctx, *in++);
        length--;
    }
}

void hash_final(hash_context *ctx, uint8_t *out) {
    put(ctx, 0x80);
    while (ctx->used != LENGTH_AT) {
        put(ctx, 0);
    }
    store32_be(BLOCK + LENGTH_AT, ctx->high << 3 | ctx->low >> 29);
    store32_be(BLOCK + LENGTH_AT + 4, ctx->low << 3);
    hash_block(ctx);
    for (uint8_t i = 0; i < PRIMITIVE_DIGEST_BYTES / 4; i++) {
        store32_be(out + 4 * i, LOAD32(ctx->record.bytes + 28 - 4 * i));
    }
}
