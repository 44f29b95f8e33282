#include "hash.h"

/* The SM3 draft, section 4.1. */
void hash_init(hash_context *ctx) {
    ctx->state[0] = UINT32_C(0x7380166f);
    ctx->state[1] = UINT32_C(0x4914b2b9);
    ctx->state[2] = UINT32_C(0x172442d7);
    ctx->state[3] = UINT32_C(0xda8a0600);
    ctx->state[4] = UINT32_C(0xa96f30bc);
    ctx->state[5] = UINT32_C(0x163138aa);
    ctx->state[6] = UINT32_C(0xe38dee4d);
    ctx->state[7] = UINT32_C(0xb0fb0e4e);
    ctx->blocks_low = 0;
    ctx->blocks_high = 0;
    ctx->used_bytes = 0;
}
