#include "hash.h"

#include "pointer.h"

/* FIPS 202, sections 4, 5.1 and B.2, around the permutation of a record that begins with the state.
 */
void hash_init(hash_context *ctx) {
    for (uint8_t i = 0; i < 200; i++) {
        ctx->record.bytes[i] = 0;
    }
    ctx->used = 0;
}

void hash_update(hash_context *ctx, const uint8_t *in, size_t length) {
    uint8_t used = ctx->used;

    for (; length > 0; length--) {
        ctx->record.bytes[used++] ^= *in++;
        if (used == PRIMITIVE_BLOCK_BYTES) {
            hash_block(ctx);
            used = 0;
        }
    }
    ctx->used = used;
}

/* KECCAK_SUFFIX holds the bits that part the functions and the first bit of the padding. */
void hash_final(hash_context *ctx, uint8_t *out) {
    ctx->record.bytes[ctx->used] ^= KECCAK_SUFFIX;
    ctx->record.bytes[PRIMITIVE_BLOCK_BYTES - 1] ^= 0x80;
    hash_block(ctx);
    for (uint8_t i = 0; i < PRIMITIVE_DIGEST_BYTES; i++) {
        *out++ = ctx->record.bytes[i];
    }
}
