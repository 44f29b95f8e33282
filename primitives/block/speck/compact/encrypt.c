#include "block.h"

#include "schedule.h"

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    speck_schedule s;

    speck_schedule_start(&s, ctx);
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        out[i] = in[i];
    }
    for (;;) {
        speck_round(out + WORD_BYTES, out, s.k);
        if (s.round[0] == PRIMITIVE_ROUNDS - 1) {
            return;
        }
        speck_schedule_next(&s);
    }
}
