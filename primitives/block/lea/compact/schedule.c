#include "schedule.h"

#include "delta.h"
#include "rom.h"
#include "rotate.h"

static const ROM uint8_t rotations[6] = {1, 3, 6, 11, 13, 17};

static uint32_t constant(uint8_t round, uint8_t word) {
    return rotl32_variable(delta[round % KEY_WORDS], (uint8_t)(round + word));
}

static void copy_key(lea_schedule *s, uint8_t i, uint32_t *k) {
    k[i] = s->t[s->at];
}

/* A key of 128 bits uses its second word three times. */
static void spread(uint32_t *k) {
#if KEY_WORDS == 4
    k[4] = k[3];
    k[3] = k[1];
    k[5] = k[1];
#else
    (void)k;
#endif
}

void lea_schedule_start(lea_schedule *s, const block_context *ctx) {
    for (uint8_t i = 0; i < KEY_WORDS; i++) {
        s->t[i] = ctx->key[i];
    }
    s->round = 0;
    s->at = 0;
}

void lea_schedule_next(lea_schedule *s, uint32_t *k) {
    for (uint8_t i = 0; i < ROUND_WORDS; i++) {
        uint32_t *t = &s->t[s->at];
        *t = rotl32_variable(*t + constant(s->round, i), rotations[i]);
        copy_key(s, i, k);
        s->at = s->at == KEY_WORDS - 1 ? 0 : (uint8_t)(s->at + 1);
    }
    s->round++;
    spread(k);
}

void lea_schedule_back(lea_schedule *s, uint32_t *k) {
    s->round--;
    for (uint8_t i = ROUND_WORDS; i-- > 0;) {
        s->at = (uint8_t)((s->at == 0 ? KEY_WORDS : s->at) - 1);
        copy_key(s, i, k);
        uint32_t *t = &s->t[s->at];
        *t = rotr32_variable(*t, rotations[i]) - constant(s->round, i);
    }
    spread(k);
}
