#include "hash.h"

#include "bytes.h"
#include "sm3.h"

#define LENGTH_AT (PRIMITIVE_BLOCK_BYTES - 8)

/* The SM3 draft, section 5.2. */
void hash_final(hash_context *ctx, uint8_t *out) {
    uint8_t *block = ctx->block.bytes;
    uint32_t bits_low = ctx->blocks_low << 9 | (uint16_t)(ctx->used_bytes << 3);
    uint32_t bits_high = ctx->blocks_high << 9 | ctx->blocks_low >> 23;
    uint8_t used = ctx->used_bytes;

    block[used++] = 0x80;
    while (used != LENGTH_AT) {
        if (used == PRIMITIVE_BLOCK_BYTES) {
            sm3_compress(ctx, block);
            used = 0;
        }
        block[used++] = 0;
    }
    store32_be(block + LENGTH_AT, bits_high);
    store32_be(block + LENGTH_AT + 4, bits_low);
    sm3_compress(ctx, block);
    for (uint8_t i = 0; i < PRIMITIVE_DIGEST_BYTES / 4; i++) {
        store32_be(out + 4 * i, ctx->state[i]);
    }
}
