#include "block.h"

#include "sboxes.h"
#include "serpent.h"

/* Specification, "The Cipher". In the last round a round key takes the linear transformation's
 * place. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint32_t x[4];
    const uint32_t *round_key = ctx->round_keys;

    serpent_load(x, in);
    for (uint8_t groups = PRIMITIVE_ROUNDS / 8; groups > 0; groups--) {
        if (groups < PRIMITIVE_ROUNDS / 8) {
            serpent_linear(x);
        }
        serpent_add(x, round_key);
        serpent_s0(x);
        serpent_linear(x);
        serpent_add(x, round_key + 4);
        serpent_s1(x);
        serpent_linear(x);
        serpent_add(x, round_key + 8);
        serpent_s2(x);
        serpent_linear(x);
        serpent_add(x, round_key + 12);
        serpent_s3(x);
        serpent_linear(x);
        serpent_add(x, round_key + 16);
        serpent_s4(x);
        serpent_linear(x);
        serpent_add(x, round_key + 20);
        serpent_s5(x);
        serpent_linear(x);
        serpent_add(x, round_key + 24);
        serpent_s6(x);
        serpent_linear(x);
        serpent_add(x, round_key + 28);
        serpent_s7(x);

        round_key += 32;
    }
    serpent_add(x, round_key);
    serpent_store(out, x);
}
