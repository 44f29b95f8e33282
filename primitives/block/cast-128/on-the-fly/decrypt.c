#include "block.h"

#include "bytes.h"
#include "cast.h"

/* The states after step number, made from the first ones. */
static void find_states(block_context *states, const block_context *ctx, uint8_t number) {
    *states = *ctx;
    for (uint8_t step = 0; step <= number; step++) {
        cast_renew(states->states[0], step);
        cast_renew(states->states[1], step);
    }
}

/* RFC 2144, section 2, from the last round to the first. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    block_context states;
    uint32_t left = load32_be(in);
    uint32_t right = load32_be(in + 4);

    for (uint8_t round = PRIMITIVE_ROUNDS; round > 0;) {
        if ((round & 3) == 0) {
            find_states(&states, ctx, (uint8_t)(round / 4 - 1));
        }
        round--;
        uint32_t t = left ^ cast_f(right, &states, round);
        left = right;
        right = t;
    }
    store32_be(out, right);
    store32_be(out + 4, left);
}
