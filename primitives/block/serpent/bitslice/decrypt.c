#include "block.h"

#include "inverse_sboxes.h"
#include "serpent.h"
#include "unlinear.h"

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint32_t x[4];
    const uint32_t *round_key = ctx->round_keys + 4 * PRIMITIVE_ROUNDS;

    serpent_load(x, in);
    serpent_add(x, round_key);
    for (uint8_t groups = PRIMITIVE_ROUNDS / 8; groups > 0; groups--) {
        if (groups < PRIMITIVE_ROUNDS / 8) {
            unlinear(x);
        }
        round_key -= 32;
        serpent_inverse_s7(x);
        serpent_add(x, round_key + 28);
        unlinear(x);
        serpent_inverse_s6(x);
        serpent_add(x, round_key + 24);
        unlinear(x);
        serpent_inverse_s5(x);
        serpent_add(x, round_key + 20);
        unlinear(x);
        serpent_inverse_s4(x);
        serpent_add(x, round_key + 16);
        unlinear(x);
        serpent_inverse_s3(x);
        serpent_add(x, round_key + 12);
        unlinear(x);
        serpent_inverse_s2(x);
        serpent_add(x, round_key + 8);
        unlinear(x);
        serpent_inverse_s1(x);
        serpent_add(x, round_key + 4);
        unlinear(x);
        serpent_inverse_s0(x);
        serpent_add(x, round_key);
    }
    serpent_store(out, x);
}
