#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The expanded key K of the paper: four words before and after, two for each core round. */
#define MARS_KEY_WORDS (2 * PRIMITIVE_ROUNDS + 8)

typedef struct {
    uint32_t keys[MARS_KEY_WORDS];
} block_context;

#endif
