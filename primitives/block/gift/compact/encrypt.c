#include "block.h"

#include "schedule.h"

/* GIFT paper. */
static const ROM uint8_t sbox[16] = {0x1, 0xA, 0x4, 0xC, 0x6, 0xF, 0x3, 0x9,
                                     0x2, 0xD, 0xB, 0x7, 0x5, 0x0, 0x8, 0xE};

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    gift_schedule s;
    uint8_t state[PRIMITIVE_BLOCK_BYTES];

    gift_schedule_start(&s, ctx);
    gift_reverse(state, in);
    do {
        uint8_t next[PRIMITIVE_BLOCK_BYTES] = {0};
        for (uint8_t n = 0; n < GIFT_NIBBLES; n++) {
            uint8_t x = sbox[n & 1 ? state[n >> 1] >> 4 : state[n >> 1] & 0xF];
            for (uint8_t b = 0; b < 4; b++) {
                if (x >> b & 1) {
                    gift_flip(next, gift_place(n, b), b);
                }
            }
        }
        gift_schedule_add(&s, next);
        gift_schedule_next(&s);
        for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
            state[i] = next[i];
        }
    } while (s.round != PRIMITIVE_ROUNDS);
    gift_reverse(out, state);
}
