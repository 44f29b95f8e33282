#include "schedule.h"

#include "rom.h"
#include "sequence.h"

static const ROM uint8_t sequence[8] = SIMON_SEQUENCE_BYTES;

void simon_schedule_start(simon_schedule *s, const block_context *ctx) {
    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        s->k[i] = ctx->key[i];
    }
    s->at = 0;
    s->next = 0;
}

void simon_schedule_add(simon_schedule *s) {
    uint8_t *k = s->k + s->at;
    const uint8_t *newest = (s->at == 0 ? s->k + PRIMITIVE_KEY_BYTES : k) - WORD_BYTES;
    uint8_t bit = s->next;
    uint8_t rotated[WORD_BYTES + 1];
    uint8_t i;

    for (i = 0; i < WORD_BYTES; i++) {
        uint8_t above = newest[i == WORD_BYTES - 1 ? 0 : i + 1];
        rotated[i] = (uint8_t)(newest[i] >> 3 | above << 5);
    }
#if PRIMITIVE_KEY_BYTES == 4 * WORD_BYTES
    const uint8_t *second = s->at == PRIMITIVE_KEY_BYTES - WORD_BYTES ? s->k : k + WORD_BYTES;
    for (i = 0; i < WORD_BYTES; i++) {
        rotated[i] ^= second[i];
    }
#endif
    rotated[WORD_BYTES] = rotated[0];
    for (i = 0; i < WORD_BYTES; i++) {
        k[i] ^= (uint8_t) ~(rotated[i] ^ rotated[i] >> 1 ^ rotated[i + 1] << 7);
    }
    if (bit >= SIMON_SEQUENCE_BITS) {
        bit = (uint8_t)(bit - SIMON_SEQUENCE_BITS);
    }
    k[0] ^= (uint8_t)(3 ^ (sequence[bit >> 3] >> (bit & 7) & 1));
}

void simon_schedule_next(simon_schedule *s) {
    simon_schedule_add(s);
    s->at = s->at == PRIMITIVE_KEY_BYTES - WORD_BYTES ? 0 : (uint8_t)(s->at + WORD_BYTES);
    s->next++;
}
