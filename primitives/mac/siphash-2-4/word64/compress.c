#include "siphash.h"

void siphash_compress(mac_context *ctx) {
    uint64_t m = siphash_load(ctx->block);

    ctx->v[3] ^= m;
    siphash_rounds(ctx->v, 2);
    ctx->v[0] ^= m;
}
