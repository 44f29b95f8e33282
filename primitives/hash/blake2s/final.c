#include "hash.h"

#include "blake2s.h"
#include "bytes.h"

/* RFC 7693, section 3.3. */
void hash_final(hash_context *ctx, uint8_t *out) {
    for (uint8_t i = ctx->used_bytes; i < PRIMITIVE_BLOCK_BYTES; i++) {
        ctx->block[i] = 0;
    }
    blake2s_compress(ctx, ctx->used_bytes, UINT32_C(0xffffffff));
    for (uint8_t i = 0; i < PRIMITIVE_DIGEST_BYTES / 4; i++) {
        store32_le(out + 4 * i, ctx->state[i]);
    }
}
