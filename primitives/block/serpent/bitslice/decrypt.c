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
