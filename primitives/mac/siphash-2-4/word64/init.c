#include "siphash.h"

void mac_init(mac_context *ctx, const uint8_t *key) {
    uint64_t k0 = siphash_load(key);
    uint64_t k1 = siphash_load(key + 8);

    ctx->v[0] = k0 ^ UINT64_C(0x736f6d6570736575);
    ctx->v[1] = k1 ^ UINT64_C(0x646f72616e646f6d);
    ctx->v[2] = k0 ^ UINT64_C(0x6c7967656e657261);
    ctx->v[3] = k1 ^ UINT64_C(0x7465646279746573);
    ctx->length = 0;
}
