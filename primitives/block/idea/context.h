#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* Six subkeys a round and four for the output transformation, for one direction. */
#define IDEA_SUBKEYS (6 * PRIMITIVE_ROUNDS + 4)

typedef struct {
    uint16_t subkeys[IDEA_SUBKEYS];
} block_context;

#endif
