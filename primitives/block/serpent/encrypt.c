#include "block.h"

#include "serpent.h"

/* Specification, "The Cipher". In the last round a round key takes the linear transformation's
 * place. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint32_t x[4];
    const uint32_t *round_key = ctx->round_keys;

    serpent_load(x, in);
    for (uint8_t round = 0; round < PRIMITIVE_ROUNDS; round++) {
        if (round > 0) {
            serpent_linear(x);
        }
        serpent_add(x, round_key);
        serpent_substitute(x, SERPENT_BOX(round));
        round_key += 4;
    }
    serpent_add(x, round_key);
    serpent_store(out, x);
}
