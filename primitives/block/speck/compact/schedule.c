#include "schedule.h"

void speck_schedule_start(speck_schedule *s, const block_context *ctx) {
    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        s->k[i] = ctx->key[i];
    }
    for (uint8_t i = 0; i < WORD_BYTES; i++) {
        s->round[i] = 0;
    }
    s->at = WORD_BYTES;
}

void speck_schedule_next(speck_schedule *s) {
    speck_round(s->k + s->at, s->k, s->round);
    s->round[0]++;
    s->at = s->at == PRIMITIVE_KEY_BYTES - WORD_BYTES ? WORD_BYTES : (uint8_t)(s->at + WORD_BYTES);
}
