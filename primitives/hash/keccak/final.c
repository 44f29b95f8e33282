#include "hash.h"

#include "keccak.h"

/* FIPS 202, sections 4, 5.1 and B.2: KECCAK_SUFFIX holds the bits that part the functions and the
 * first bit of the padding. No output is longer than a block. */
void hash_final(hash_context *ctx, uint8_t *out) {
    ctx->state.bytes[lane_byte(ctx->used_bytes)] ^= KECCAK_SUFFIX;
    ctx->state.bytes[lane_byte(PRIMITIVE_BLOCK_BYTES - 1)] ^= 0x80;
    keccak_permute(ctx->state.lanes);
    for (uint8_t i = 0; i < PRIMITIVE_DIGEST_BYTES; i++) {
        *out++ = ctx->state.bytes[lane_byte(i)];
    }
}
