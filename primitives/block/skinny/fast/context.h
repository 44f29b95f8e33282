#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The upper two rows of the round tweakeys, a cell in a byte, with the round constants in them. */
typedef struct {
    uint8_t round_keys[8 * PRIMITIVE_ROUNDS];
} block_context;

#endif
