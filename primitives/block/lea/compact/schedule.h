#ifndef STEELYARD_LEA_SCHEDULE_H
#define STEELYARD_LEA_SCHEDULE_H

#include <stdint.h>

#include "context.h"

#define KEY_WORDS   (PRIMITIVE_KEY_BYTES / 4)
#define ROUND_WORDS (KEY_WORDS == 4 ? 4 : 6)

/* The words T of the LEA paper, section 2.3, the round they will be used in next, and the place of
 * that round's first word. */
typedef struct {
    uint32_t t[KEY_WORDS];
    uint8_t round;
    uint8_t at;
} lea_schedule;

void lea_schedule_start(lea_schedule *s, const block_context *ctx);

/* Makes the round key of s->round in six words of k, and goes on. */
void lea_schedule_next(lea_schedule *s, uint32_t *k);

/* The same on the way back: the round key made last, undone. */
void lea_schedule_back(lea_schedule *s, uint32_t *k);

#endif
