#include "block.h"

#include "inverse_sboxes.h"
#include "serpent.h"
#include "unlinear.h"

static void unsubstitute(uint32_t *x, uint8_t box) {
    switch (box) {
    case 0:
        serpent_inverse_s0(x);
        break;
    case 1:
        serpent_inverse_s1(x);
        break;
    case 2:
        serpent_inverse_s2(x);
        break;
    case 3:
        serpent_inverse_s3(x);
        break;
    case 4:
        serpent_inverse_s4(x);
        break;
    case 5:
        serpent_inverse_s5(x);
        break;
    case 6:
        serpent_inverse_s6(x);
        break;
    default:
        serpent_inverse_s7(x);
        break;
    }
}

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
        unsubstitute(x, round & 7);
        round_key -= 4;
        serpent_add(x, round_key);
    }
    serpent_store(out, x);
}
