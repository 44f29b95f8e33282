#include "block.h"

#include "bytes.h"
#include "tea.h"

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint32_t v0 = load32_be(in);
    uint32_t v1 = load32_be(in + 4);
    uint32_t sum = TEA_DELTA * (PRIMITIVE_ROUNDS / 2);

    for (uint8_t cycles = PRIMITIVE_ROUNDS / 2; cycles > 0; cycles--) {
        v1 -= tea_mix(v0, sum, ctx->key + 2);
        v0 -= tea_mix(v1, sum, ctx->key);
        sum -= TEA_DELTA;
    }
    store32_be(out, v0);
    store32_be(out + 4, v1);
}
