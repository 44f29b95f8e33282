#include "block.h"

#include "planes.h"

/* The S-box of the PRESENT paper, section 3, by its algebraic normal form. */
static inline void substitute(uint16_t *x) {
    uint16_t x0 = x[0];
    uint16_t x1 = x[1];
    uint16_t x2 = x[2];
    uint16_t x3 = x[3];
    uint16_t x1x2 = x1 & x2;
    uint16_t d = x3 & (x1 ^ x2);
    uint16_t c = x0 & (x1x2 ^ d);
    uint16_t e = x1 ^ x3 ^ d;
    uint16_t x0_x3 = x0 ^ x3;

    x[0] = x0_x3 ^ x2 ^ x1x2;
    x[1] = e ^ c;
    x[2] = (uint16_t) ~(x2 ^ x3 ^ (x0 & e) ^ (x1 & x3));
    x[3] = (uint16_t) ~(x0_x3 ^ x1 ^ x1x2 ^ c);
}

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint16_t *k = ctx->round_keys;
    uint16_t x[4];

    present_load(x, in);
    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2;; pairs--) {
        present_add_key(x, k);
        substitute(x);
        present_turn_high(x);
        present_add_key(x, k + 4);
        if (pairs == 0) {
            break;
        }
        substitute(x);
        present_turn_low(x);
        k += 8;
    }
    for (uint8_t i = 0; i < 4; i++) {
        x[i] = present_transpose(x[i]);
    }
    present_store(out, x);
}
