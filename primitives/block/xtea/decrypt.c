#include "block.h"

#include "bytes.h"
#include "xtea.h"

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint32_t v0 = load32_be(in);
    uint32_t v1 = load32_be(in + 4);
    uint32_t sum = XTEA_DELTA * (PRIMITIVE_ROUNDS / 2);

    for (uint8_t cycles = PRIMITIVE_ROUNDS / 2; cycles > 0; cycles--) {
        v1 -= xtea_mix(v0, sum, ctx->key, (uint8_t)(sum >> 8) >> 3);
        sum -= XTEA_DELTA;
        v0 -= xtea_mix(v1, sum, ctx->key, (uint8_t)sum);
    }
    store32_be(out, v0);
    store32_be(out + 4, v1);
}
