#include "hash.h"

#include "bytes.h"
#include "sha1.h"

#define LENGTH_AT (PRIMITIVE_BLOCK_BYTES - 8)

/* FIPS 180-4, section 5.1.1. */
void hash_final(hash_context *ctx, uint8_t *out) {
    uint32_t bits_low = ctx->blocks_low << 9 | (uint16_t)(ctx->used_bytes << 3);
    uint32_t bits_high = ctx->blocks_high << 9 | ctx->blocks_low >> 23;
    uint8_t used = ctx->used_bytes;

    ctx->block.bytes[used++] = 0x80;
    while (used != LENGTH_AT) {
        if (used == PRIMITIVE_BLOCK_BYTES) {
            sha1_compress(ctx, ctx->block.bytes);
            used = 0;
        }
        ctx->block.bytes[used++] = 0;
    }
    store32_be(ctx->block.bytes + LENGTH_AT, bits_high);
    store32_be(ctx->block.bytes + LENGTH_AT + 4, bits_low);
    sha1_compress(ctx, ctx->block.bytes);
    for (uint8_t i = 0; i < PRIMITIVE_DIGEST_BYTES / 4; i++) {
        store32_be(out + 4 * i, ctx->state[i]);
    }
}
