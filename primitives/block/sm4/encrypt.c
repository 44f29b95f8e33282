#include "block.h"

#include "bytes.h"
#include "sm4.h"

/* Specification, encryption. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *round_key = ctx->round_keys;
    uint32_t x0 = load32_be(in);
    uint32_t x1 = load32_be(in + 4);
    uint32_t x2 = load32_be(in + 8);
    uint32_t x3 = load32_be(in + 12);

    for (uint8_t fours = PRIMITIVE_ROUNDS / 4; fours > 0; fours--) {
        x0 ^= sm4_t(x1 ^ x2 ^ x3 ^ round_key[0]);
        x1 ^= sm4_t(x2 ^ x3 ^ x0 ^ round_key[1]);
        x2 ^= sm4_t(x3 ^ x0 ^ x1 ^ round_key[2]);
        x3 ^= sm4_t(x0 ^ x1 ^ x2 ^ round_key[3]);
        round_key += 4;
    }
    store32_be(out, x3);
    store32_be(out + 4, x2);
    store32_be(out + 8, x1);
    store32_be(out + 12, x0);
}
