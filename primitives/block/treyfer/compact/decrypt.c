#include "block.h"

#include "treyfer.h"

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t step = (uint8_t)(8 * PRIMITIVE_ROUNDS);

    for (uint8_t i = 0; i < 8; i++) {
        out[i] = in[i];
    }
    do {
        uint8_t *target = out + (step & 7);
        uint8_t t = (uint8_t)(*target >> 1 | *target << 7);
        step--;
        *target = (uint8_t)(t - treyfer_sbox[(uint8_t)(out[step & 7] + ctx->key[step & 7])]);
    } while (step != 0);
}
