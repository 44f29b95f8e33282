#include "block.h"

#include "rows.h"

/* SubColumn undone, by the algebraic normal form of the inverse S-box. */
static inline void unsubstitute(uint16_t *x) {
    uint16_t x0 = x[0];
    uint16_t x1 = x[1];
    uint16_t x2 = x[2];
    uint16_t x3 = x[3];
    uint16_t p = x0 & x1;
    uint16_t q = x1 ^ x2;

    x[0] = (uint16_t) ~(x0 ^ x2 ^ x3 ^ (p & x2) ^ (x3 & q));
    x[1] = q ^ (x0 & (x2 ^ x3));
    x[2] = x0 ^ q ^ x3 ^ (x0 & x3);
    x[3] = (uint16_t) ~(x0 ^ p ^ (x1 & x2) ^ (x3 & (q ^ p)));
}

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint16_t *k = ctx->round_keys + 4 * PRIMITIVE_ROUNDS;
    uint16_t x[4];

    rectangle_load(x, in);
    rectangle_add_key(x, k);
    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        k -= 4;
        x[1] = RECTANGLE_LEFT(x[1], 15);
        x[2] = RECTANGLE_LEFT(x[2], 4);
        x[3] = RECTANGLE_LEFT(x[3], 3);
        unsubstitute(x);
        rectangle_add_key(x, k);
    }
    rectangle_store(out, x);
}
