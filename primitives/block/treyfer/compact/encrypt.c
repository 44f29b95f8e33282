#include "block.h"

#include "treyfer.h"

/* The count of steps is 256 and wraps to 0. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t step = 0;
    uint8_t t;

    for (uint8_t i = 0; i < 8; i++) {
        out[i] = in[i];
    }
    t = out[0];
    do {
        t = treyfer_sbox[(uint8_t)(t + ctx->key[step & 7])];
        step++;
        t = (uint8_t)(t + out[step & 7]);
        t = (uint8_t)(t << 1 | t >> 7);
        out[step & 7] = t;
    } while (step != (uint8_t)(8 * PRIMITIVE_ROUNDS));
}
