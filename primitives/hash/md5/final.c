#include "hash.h"

#include "bytes.h"
#include "md5.h"

#define LENGTH_AT (PRIMITIVE_BLOCK_BYTES - 8)

/* RFC 1321, sections 3.1, 3.2 and 3.5. */
void hash_final(hash_context *ctx, uint8_t *out) {
    uint32_t bits_low = ctx->blocks_low << 9 | (uint16_t)(ctx->used_bytes << 3);
    uint32_t bits_high = ctx->blocks_high << 9 | ctx->blocks_low >> 23;
    uint8_t used = ctx->used_bytes;

    ctx->block[used++] = 0x80;
    while (used != LENGTH_AT) {
        if (used == PRIMITIVE_BLOCK_BYTES) {
            md5_compress(ctx, ctx->block);
            used = 0;
        }
        ctx->block[used++] = 0;
    }
    store32_le(ctx->block + LENGTH_AT, bits_low);
    store32_le(ctx->block + LENGTH_AT + 4, bits_high);
    md5_compress(ctx, ctx->block);
    for (uint8_t i = 0; i < PRIMITIVE_DIGEST_BYTES / 4; i++) {
        store32_le(out + 4 * i, ctx->state[i]);
    }
}
