#include "block.h"

#include "inverse_tables.h"
#include "serpent.h"
#include "unlinear.h"

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint32_t x[4];
    const uint32_t *round_key = ctx->round_keys + 4 * PRIMITIVE_ROUNDS;

    serpent_load(x, in);
    serpent_add(x, round_key);
    for (uint8_t round = PRIMITIVE_ROUNDS; round > 0;) {
        if (round < PRIMITIVE_ROUNDS) {
            unlinear(x);
        }
        round--;
        serpent_substitute(x, inverse_sboxes[round & 7]);
        round_key -= 4;
        serpent_add(x, round_key);
    }
    serpent_store(out, x);
}
