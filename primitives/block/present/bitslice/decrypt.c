#include "block.h"

#include "planes.h"

/* The inverse S-box by its algebraic normal form. */
static inline void substitute(uint16_t *x) {
    uint16_t x0 = x[0];
    uint16_t x1 = x[1];
    uint16_t x2 = x[2];
    uint16_t x3 = x[3];
    uint16_t x1x3 = x1 & x3;
    uint16_t g = x1 ^ x3;
    uint16_t h = x2 & g;
    uint16_t x0_x2 = x0 ^ x2;
    uint16_t f = x2 ^ h ^ x1x3;

    x[0] = (uint16_t) ~(x0_x2 ^ x1x3);
    x[1] = g ^ x1x3 ^ (x2 & x3) ^ (x0 & (uint16_t)~f);
    x[2] = (uint16_t) ~(x3 ^ (x1 & x2) ^ x1x3 ^ (x0 & (g ^ f)));
    x[3] = x0_x2 ^ g ^ (x0 & (x1 ^ h));
}

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint16_t *k = ctx->round_keys + 4 * PRIMITIVE_ROUNDS;
    uint16_t x[4];

    present_load(x, in);
    for (uint8_t i = 0; i < 4; i++) {
        x[i] = present_transpose(x[i]);
    }
    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2;; pairs--) {
        present_add_key(x, k);
        present_turn_high(x);
        substitute(x);
        present_add_key(x, k - 4);
        if (pairs == 0) {
            break;
        }
        present_turn_low(x);
        substitute(x);
        k -= 8;
    }
    present_store(out, x);
}
