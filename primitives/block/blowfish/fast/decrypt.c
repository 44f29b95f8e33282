#include "block.h"

#include "blowfish.h"
#include "bytes.h"

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *p = ctx->subkeys + BLOWFISH_SUBKEYS;
    uint32_t left = load32_be(in);
    uint32_t right = load32_be(in + 4);

    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2; pairs > 0; pairs--) {
        left ^= *--p;
        right ^= blowfish_f(ctx, left);
        right ^= *--p;
        left ^= blowfish_f(ctx, right);
    }
    store32_be(out, right ^ ctx->subkeys[0]);
    store32_be(out + 4, left ^ ctx->subkeys[1]);
}
