#include "block.h"

#include "schedule.h"

static const ROM uint8_t inverse[16] = {0xD, 0x0, 0x8, 0x6, 0x2, 0xC, 0x4, 0xB,
                                        0xE, 0x7, 0x1, 0xA, 0x3, 0x9, 0xF, 0x5};

/* Runs the key schedule to its end, then back beside the data. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    gift_schedule s;
    uint8_t state[PRIMITIVE_BLOCK_BYTES];

    gift_schedule_start(&s, ctx);
    do {
        gift_schedule_next(&s);
    } while (s.round != PRIMITIVE_ROUNDS);
    gift_reverse(state, in);
    do {
        uint8_t next[PRIMITIVE_BLOCK_BYTES] = {0};
        gift_schedule_back(&s);
        gift_schedule_add(&s, state);
        for (uint8_t n = 0; n < GIFT_NIBBLES; n++) {
            uint8_t x = 0;
            for (uint8_t b = 0; b < 4; b++) {
                uint8_t place = gift_place(n, b);
                if (state[place >> 1] & GIFT_MASK(place, b)) {
                    x = (uint8_t)(x | 1 << b);
                }
            }
            x = inverse[x];
            next[n >> 1] = (uint8_t)(next[n >> 1] | (n & 1 ? x << 4 : x));
        }
        for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
            state[i] = next[i];
        }
    } while (s.round != 0);
    gift_reverse(out, state);
}
