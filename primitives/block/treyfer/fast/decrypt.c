#include "block.h"

#include "treyfer.h"

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint8_t *k = ctx->key;
    uint8_t x0 = in[0];
    uint8_t x1 = in[1];
    uint8_t x2 = in[2];
    uint8_t x3 = in[3];
    uint8_t x4 = in[4];
    uint8_t x5 = in[5];
    uint8_t x6 = in[6];
    uint8_t x7 = in[7];

    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
#define STEP(i, from, to)                                                                          \
    to = (uint8_t)(to >> 1 | to << 7);                                                             \
    to = (uint8_t)(to - treyfer_sbox[(uint8_t)(from + k[i])]);
        STEP(7, x7, x0)
        STEP(6, x6, x7)
        STEP(5, x5, x6)
        STEP(4, x4, x5)
        STEP(3, x3, x4)
        STEP(2, x2, x3)
        STEP(1, x1, x2)
        STEP(0, x0, x1)
#undef STEP
    }
    out[0] = x0;
    out[1] = x1;
    out[2] = x2;
    out[3] = x3;
    out[4] = x4;
    out[5] = x5;
    out[6] = x6;
    out[7] = x7;
}
