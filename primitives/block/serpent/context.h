#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The round keys K of the specification, four words each. */
typedef struct {
    uint32_t round_keys[4 * (PRIMITIVE_ROUNDS + 1)];
} block_context;

#endif
