#include "block.h"

#include "inverse_sboxes.h"
#include "rotate.h"
#include "serpent.h"

/* Undoes the linear transformation. */
static void unlinear(uint32_t *x) {
    uint32_t x1 = x[1];
    uint32_t x3 = x[3];
    uint32_t x2 = rotl32(x[2], 10) ^ x3 ^ (rotl32(x1, 7) & UINT32_C(0xFFFFFF80));
    uint32_t x0 = rotl32(x[0], 27) ^ x1 ^ x3;

    x[3] = rotl32(x3, 25) ^ x2 ^ x0 << 3;
    x[1] = rotl32(x1, 31) ^ x0 ^ x2;
    x[2] = rotl32(x2, 29);
    x[0] = rotl32(x0, 19);
}

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
