#include "siphash.h"

#include <string.h>

void mac_final(mac_context *ctx, uint8_t *tag) {
    uint8_t used = ctx->length & 7;
    uint64_t result;

    memset(ctx->block + used, 0, 7u - used);
    ctx->block[7] = ctx->length;
    siphash_compress(ctx);
    ctx->v[2] ^= 0xFF;
    siphash_rounds(ctx->v, 4);
    result = ctx->v[0] ^ ctx->v[1] ^ ctx->v[2] ^ ctx->v[3];
    for (uint8_t i = 0; i < 8; i++) {
        tag[i] = (uint8_t)result;
        result >>= 8;
    }
}
