#ifndef STEELYARD_RECTANGLE_KEY_STATE_H
#define STEELYARD_RECTANGLE_KEY_STATE_H

#include "context.h"
#include "rows.h"

/* The key register, RECTANGLE paper: five rows of 16 bits or four of 32. */
#if PRIMITIVE_KEY_BYTES == 10
typedef uint16_t rectangle_key_row;
#define RECTANGLE_KEY_ROWS    5
#define RECTANGLE_KEY_COLUMNS 0x000F
#else
typedef uint32_t rectangle_key_row;
#define RECTANGLE_KEY_ROWS    4
#define RECTANGLE_KEY_COLUMNS 0x00FF
#endif

/* The round constant after c, and the one before it. */
#define RECTANGLE_NEXT_CONSTANT(c) ((uint8_t)(((c) << 1 & 0x1E) | (((c) >> 4 ^ (c) >> 2) & 1)))
#define RECTANGLE_LAST_CONSTANT(c) ((uint8_t)((c) >> 1 | (((c) << 4 ^ (c) << 1) & 0x10)))

/* The first constant is 1. */
#define RECTANGLE_BEFORE_FIRST_CONSTANT 0x10

typedef struct {
    rectangle_key_row rows[RECTANGLE_KEY_ROWS];
    uint8_t constant;
} rectangle_key_state;

void rectangle_key_start(rectangle_key_state *s, const block_context *ctx);

/* Adds the round key to the block. */
void rectangle_key_add(const rectangle_key_state *s, uint16_t *x);

/* Replaces the columns of the key register that pass through the S-boxes by those of x. */
void rectangle_key_merge(rectangle_key_state *s, const uint16_t *x);

/* Goes on to the next round, whose constant is then s->constant. */
void rectangle_key_next(rectangle_key_state *s);

#endif
