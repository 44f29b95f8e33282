#include "block.h"

#include "schedule.h"

/* Runs the key schedule to its end, then back beside the data. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    simon_schedule s;
    uint8_t half = WORD_BYTES;

    simon_schedule_start(&s, ctx);
    while (s.next != PRIMITIVE_ROUNDS) {
        simon_schedule_next(&s);
    }
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        out[i] = in[i];
    }
    while (s.next != 0) {
        s.at = (uint8_t)((s.at == 0 ? PRIMITIVE_KEY_BYTES : s.at) - WORD_BYTES);
        s.next--;
        simon_schedule_add(&s);
        simon_round(out + half, out + (WORD_BYTES - half), s.k + s.at);
        half = (uint8_t)(WORD_BYTES - half);
    }
#if PRIMITIVE_ROUNDS % 2
    for (uint8_t i = 0; i < WORD_BYTES; i++) {
        uint8_t t = out[i];
        out[i] = out[WORD_BYTES + i];
        out[WORD_BYTES + i] = t;
    }
#endif
}
