#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The round keys rk of the specification. */
typedef struct {
    uint32_t round_keys[PRIMITIVE_ROUNDS];
} block_context;

#endif
