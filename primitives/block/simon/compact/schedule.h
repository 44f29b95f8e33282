#ifndef STEELYARD_SIMON_SCHEDULE_H
#define STEELYARD_SIMON_SCHEDULE_H

#include <stdint.h>

#include "context.h"

#define WORD_BYTES (PRIMITIVE_BLOCK_BYTES / 2)

/* A window of the key schedule as little-endian words, the current round key at `at`, in a ring;
 * `next` counts the round keys made beyond the key itself. */
typedef struct {
    uint8_t k[PRIMITIVE_KEY_BYTES];
    uint8_t at;
    uint8_t next;
} simon_schedule;

void simon_schedule_start(simon_schedule *s, const block_context *ctx);

/* SIMON paper, section 3.2: replaces the oldest word of the window by the next one, which `add`ing
 * it again undoes; word `s->at` is the oldest before and the newest after. */
void simon_schedule_add(simon_schedule *s);

void simon_schedule_next(simon_schedule *s);

/* SIMON paper, section 3.1: one round on the halves of the block, which stay where they are. */
void simon_round(uint8_t *y, const uint8_t *x, const uint8_t *k);

#endif
