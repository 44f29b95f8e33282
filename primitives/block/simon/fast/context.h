#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include "word.h"

/* One round key for each round. */
typedef struct {
    word round_keys[PRIMITIVE_ROUNDS];
} block_context;

#endif
