#include "block.h"

#include "key_schedule.h"

/* SubColumn undone, by the algebraic normal form of the inverse S-box. */
static void unsubstitute(uint16_t *x) {
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

static void key_back(rectangle_key_state *s) {
    rectangle_key_row *v = s->rows;
    rectangle_key_row next = v[0] ^ s->constant;
    uint16_t x[4];

#if PRIMITIVE_KEY_BYTES == 10
    v[0] = v[4];
    v[4] = v[3];
    v[3] = v[2];
    v[4] = RECTANGLE_LEFT(v[3], 12) ^ v[4];
    v[2] = v[1];
    v[1] = RECTANGLE_LEFT(v[0], 8) ^ next;
#else
    v[0] = v[3];
    v[3] = (v[1] << 16 | v[1] >> 16) ^ v[2];
    v[2] = v[1];
    v[1] = (v[0] << 8 | v[0] >> 24) ^ next;
#endif
    s->constant = RECTANGLE_LAST_CONSTANT(s->constant);
    for (uint8_t i = 0; i < 4; i++) {
        x[i] = (uint16_t)v[i];
    }
    unsubstitute(x);
    rectangle_key_merge(s, x);
}

/* Runs the key schedule to its end, then back beside the data. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    rectangle_key_state s;
    uint16_t x[4];

    rectangle_key_start(&s, ctx);
    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        rectangle_key_next(&s);
    }
    rectangle_load(x, in);
    rectangle_key_add(&s, x);
    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        key_back(&s);
        x[1] = RECTANGLE_LEFT(x[1], 15);
        x[2] = RECTANGLE_LEFT(x[2], 4);
        x[3] = RECTANGLE_LEFT(x[3], 3);
        unsubstitute(x);
        rectangle_key_add(&s, x);
    }
    rectangle_store(out, x);
}
