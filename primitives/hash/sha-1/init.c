#include "hash.h"

/* FIPS 180-4, section 5.3.1. */
void hash_init(hash_context *ctx) {
    ctx->state[0] = UINT32_C(0x67452301);
    ctx->state[1] = UINT32_C(0xefcdab89);
    ctx->state[2] = UINT32_C(0x98badcfe);
    ctx->state[3] = UINT32_C(0x10325476);
    ctx->state[4] = UINT32_C(0xc3d2e1f0);
    ctx->blocks_low = 0;
    ctx->blocks_high = 0;
    ctx->used_bytes = 0;
}
