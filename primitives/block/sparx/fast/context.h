#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

#define SPARX_STEPS       (PRIMITIVE_ROUNDS / 3)
#define SPARX_BRANCH_KEYS 6

/* Six subkeys for each of the two branches of a step, and four at the end. */
typedef struct {
    uint16_t subkeys[2 * SPARX_STEPS * SPARX_BRANCH_KEYS + 4];
} block_context;

#endif
