#include "block.h"

#include "key_schedule.h"

/* RECTANGLE paper. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    rectangle_key_state s;
    uint16_t x[4];

    rectangle_key_start(&s, ctx);
    rectangle_load(x, in);
    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        rectangle_key_add(&s, x);
        rectangle_substitute(x);
        x[1] = RECTANGLE_LEFT(x[1], 1);
        x[2] = RECTANGLE_LEFT(x[2], 12);
        x[3] = RECTANGLE_LEFT(x[3], 13);
        rectangle_key_next(&s);
    }
    rectangle_key_add(&s, x);
    rectangle_store(out, x);
}
