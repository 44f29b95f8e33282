#include "block.h"

#include "key_state.h"

void block_init(block_context *ctx, const uint8_t *key) {
    uint16_t *k = ctx->round_keys;
    rectangle_key_row v[RECTANGLE_KEY_ROWS];
    uint8_t constant = 1;

    for (uint8_t i = 0; i < RECTANGLE_KEY_ROWS; i++) {
        v[i] = 0;
        for (uint8_t j = sizeof(rectangle_key_row); j > 0; j--) {
            v[i] = (rectangle_key_row)(v[i] << 8 | *key++);
        }
    }
    for (uint8_t rounds = PRIMITIVE_ROUNDS;; rounds--) {
        uint16_t x[4];
        for (uint8_t i = 0; i < 4; i++) {
            x[i] = (uint16_t)v[i];
            *k++ = x[i];
        }
        if (rounds == 0) {
            return;
        }
        rectangle_substitute(x);
        for (uint8_t i = 0; i < 4; i++) {
            v[i] ^= (uint16_t)((x[i] ^ (uint16_t)v[i]) & RECTANGLE_KEY_COLUMNS);
        }
        rectangle_key_row first = v[0];
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
        v[0] ^= constant;
        constant = RECTANGLE_NEXT_CONSTANT(constant);
    }
}
