#include "block.h"

#include "idea.h"

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint16_t x[4];
    uint16_t k[6];

    idea_load(x, in);
    for (uint8_t round = 0; round < PRIMITIVE_ROUNDS; round++) {
        idea_subkeys(k, ctx, (uint8_t)(6 * round), 6);
        idea_round(x, k);
    }
    idea_subkeys(k, ctx, 6 * PRIMITIVE_ROUNDS, 4);
    idea_output(x, k);
    idea_store(out, x);
}
