#include "mac.h"

#include <string.h>

#include "limbs.h"

void mac_init(mac_context *ctx, const uint8_t *key) {
    load_limbs(ctx->r, key);
    ctx->r[0] &= UINT32_C(0x3FFFFFF);
    ctx->r[1] &= UINT32_C(0x3FFFF03);
    ctx->r[2] &= UINT32_C(0x3FFC0FF);
    ctx->r[3] &= UINT32_C(0x3F03FFF);
    ctx->r[4] &= UINT32_C(0x00FFFFF);
    memset(ctx->accumulator, 0, sizeof ctx->accumulator);
    memcpy(ctx->s, key + 16, 16);
    ctx->used_bytes = 0;
}
