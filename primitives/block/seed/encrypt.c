#include "block.h"

#include "bytes.h"
#include "seed.h"

/* RFC 4269, encryption; two rounds at a time leave the halves where they are. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *round_key = ctx->round_keys;
    uint32_t x[4];

    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load32_be(in + 4 * i);
    }
    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2; pairs > 0; pairs--) {
        seed_add_f(x, x + 2, round_key);
        seed_add_f(x + 2, x, round_key + 2);
        round_key += 4;
    }
    for (uint8_t i = 0; i < 4; i++) {
        store32_be(out + 4 * i, x[i ^ 2]);
    }
}
