#include "hash.h"

#include "bytes.h"
#include "sha512.h"
#include "word64.h"

#define LENGTH_AT (PRIMITIVE_BLOCK_BYTES - 16)

/* FIPS 180-4, section 5.1.2. */
void hash_final(hash_context *ctx, uint8_t *out) {
    uint8_t *block = ctx->block.bytes;
    uint32_t bits_low = ctx->blocks_low << 10 | (uint16_t)(ctx->used_bytes << 3);
    uint32_t bits_middle = ctx->blocks_high << 10 | ctx->blocks_low >> 22;
    uint32_t bits_high = ctx->blocks_high >> 22;
    uint8_t used = ctx->used_bytes;

    block[used++] = 0x80;
    while (used != LENGTH_AT) {
        if (used == PRIMITIVE_BLOCK_BYTES) {
            sha512_compress(ctx, block);
            used = 0;
        }
        block[used++] = 0;
    }
    store32_be(block + LENGTH_AT, 0);
    store32_be(block + LENGTH_AT + 4, bits_high);
    store32_be(block + LENGTH_AT + 8, bits_middle);
    store32_be(block + LENGTH_AT + 12, bits_low);
    sha512_compress(ctx, block);
    for (uint8_t i = 0; i < PRIMITIVE_DIGEST_BYTES / 8; i++) {
        store64_be(out + 8 * i, ctx->state[i]);
    }
}
