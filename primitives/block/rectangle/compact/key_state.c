#include "key_schedule.h"

void rectangle_key_start(rectangle_key_state *s, const block_context *ctx) {
    const uint8_t *key = ctx->key;

    for (uint8_t i = 0; i < RECTANGLE_KEY_ROWS; i++) {
        rectangle_key_row row = 0;
        for (uint8_t j = sizeof row; j > 0; j--) {
            row = (rectangle_key_row)(row << 8 | *key++);
        }
        s->rows[i] = row;
    }
    s->constant = RECTANGLE_BEFORE_FIRST_CONSTANT;
}

void rectangle_key_add(const rectangle_key_state *s, uint16_t *x) {
    for (uint8_t i = 0; i < 4; i++) {
        x[i] ^= (uint16_t)s->rows[i];
    }
}

void rectangle_key_merge(rectangle_key_state *s, const uint16_t *x) {
    for (uint8_t i = 0; i < 4; i++) {
        s->rows[i] ^= (uint16_t)((x[i] ^ (uint16_t)s->rows[i]) & RECTANGLE_KEY_COLUMNS);
    }
}

void rectangle_key_next(rectangle_key_state *s) {
    rectangle_key_row *v = s->rows;
    rectangle_key_row first;
    uint16_t x[4];

    for (uint8_t i = 0; i < 4; i++) {
        x[i] = (uint16_t)v[i];
    }
    rectangle_substitute(x);
    rectangle_key_merge(s, x);
    s->constant = RECTANGLE_NEXT_CONSTANT(s->constant);
    first = v[0];
#if PRIMITIVE_KEY_BYTES == 10
    v[0] = RECTANGLE_LEFT(first, 8) ^ v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = RECTANGLE_LEFT(v[3], 12) ^ v[4];
    v[4] = first;
#else
    v[0] = (first << 8 | first >> 24) ^ v[1];
    v[1] = v[2];
    v[2] = (v[2] << 16 | v[2] >> 16) ^ v[3];
    v[3] = first;
#endif
    v[0] ^= s->constant;
}
