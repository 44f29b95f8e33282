#ifndef STEELYARD_RECTANGLE_KEY_STATE_H
#define STEELYARD_RECTANGLE_KEY_STATE_H

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

typedef struct {
    rectangle_key_row rows[RECTANGLE_KEY_ROWS];
    uint8_t constant;
} rectangle_key_state;

#endif
