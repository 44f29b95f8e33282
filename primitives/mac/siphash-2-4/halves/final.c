#include "siphash.h"

#include <string.h>

void mac_final(mac_context *ctx, uint8_t *tag) {
    uint8_t used = ctx->length & 7;
    halves result;

    memset(ctx->block + used, 0, 7u - used);
    ctx->block[7] = ctx->length;
    siphash_compress(ctx);
    ctx->v[2].low ^= 0xFF;
    siphash_rounds(ctx->v, 4);
    result = mixed(mixed(ctx->v[0], ctx->v[1]), mixed(ctx->v[2], ctx->v[3]));
    store32_le(tag, result.low);
    store32_le(tag + 4, result.high);
}
