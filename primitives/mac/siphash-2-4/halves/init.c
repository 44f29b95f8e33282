#include "siphash.h"

void mac_init(mac_context *ctx, const uint8_t *key) {
    halves k0 = siphash_load(key);
    halves k1 = siphash_load(key + 8);

    ctx->v[0] = mixed(k0, join(UINT32_C(0x70736575), UINT32_C(0x736f6d65)));
    ctx->v[1] = mixed(k1, join(UINT32_C(0x6e646f6d), UINT32_C(0x646f7261)));
    ctx->v[2] = mixed(k0, join(UINT32_C(0x6e657261), UINT32_C(0x6c796765)));
    ctx->v[3] = mixed(k1, join(UINT32_C(0x79746573), UINT32_C(0x74656462)));
    ctx->length = 0;
}
