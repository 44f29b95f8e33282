#ifndef STEELYARD_RECTANGLE_KEY_SCHEDULE_H
#define STEELYARD_RECTANGLE_KEY_SCHEDULE_H

#include "context.h"
#include "key_state.h"

/* The first constant is 1. */
#define RECTANGLE_BEFORE_FIRST_CONSTANT 0x10

void rectangle_key_start(rectangle_key_state *s, const block_context *ctx);

/* Adds the round key to the block. */
void rectangle_key_add(const rectangle_key_state *s, uint16_t *x);

/* Replaces the columns of the key register that pass through the S-boxes by those of x. */
void rectangle_key_merge(rectangle_key_state *s, const uint16_t *x);

/* Goes on to the next round, whose constant is then s->constant. */
void rectangle_key_next(rectangle_key_state *s);

#endif
