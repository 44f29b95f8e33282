#include "hash.h"

#include "keccak.h"

void hash_update(hash_context *ctx, const uint8_t *in, size_t length) {
    uint8_t used = ctx->used_bytes;

    for (; length > 0; length--) {
        ctx->state.bytes[lane_byte(used++)] ^= *in++;
        if (used == PRIMITIVE_BLOCK_BYTES) {
            keccak_permute(ctx->state.lanes);
            used = 0;
        }
    }
    ctx->used_bytes = used;
}
