#include "block.h"

#include "rows.h"

/* RECTANGLE paper. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint16_t *k = ctx->round_keys;
    uint16_t x[4];

    rectangle_load(x, in);
    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        rectangle_add_key(x, k);
        rectangle_substitute(x);
        x[1] = RECTANGLE_LEFT(x[1], 1);
        x[2] = RECTANGLE_LEFT(x[2], 12);
        x[3] = RECTANGLE_LEFT(x[3], 13);
        k += 4;
    }
    rectangle_add_key(x, k);
    rectangle_store(out, x);
}
