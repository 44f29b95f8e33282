#ifndef STEELYARD_SPECK_SCHEDULE_H
#define STEELYARD_SPECK_SCHEDULE_H

#include <stdint.h>

#include "context.h"

#define WORD_BYTES (PRIMITIVE_BLOCK_BYTES / 2)

/* The state of the key schedule: the round key k, then the words l in a ring. */
typedef struct {
    uint8_t k[PRIMITIVE_KEY_BYTES];
    uint8_t round[WORD_BYTES];
    uint8_t at;
} speck_schedule;

/* The SPECK paper's round, section 4.1, on words as little-endian bytes; the key schedule is the
 * same function with the round's number as key (section 4.2). */
void speck_round(uint8_t *x, uint8_t *y, const uint8_t *k);

void speck_schedule_start(speck_schedule *s, const block_context *ctx);
void speck_schedule_next(speck_schedule *s);

#endif
