#include "block.h"

#include "schedule.h"

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    simon_schedule s;
    uint8_t half = 0;

    simon_schedule_start(&s, ctx);
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        out[i] = in[i];
    }
    while (s.next != PRIMITIVE_ROUNDS) {
        simon_round(out + half, out + (WORD_BYTES - half), s.k + s.at);
        half = (uint8_t)(WORD_BYTES - half);
        simon_schedule_next(&s);
    }
#if PRIMITIVE_ROUNDS % 2
    for (uint8_t i = 0; i < WORD_BYTES; i++) {
        uint8_t t = out[i];
        out[i] = out[WORD_BYTES + i];
        out[WORD_BYTES + i] = t;
    }
#endif
}
