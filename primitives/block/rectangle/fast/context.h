#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* Four rows for each round key. */
typedef struct {
    uint16_t round_keys[4 * (PRIMITIVE_ROUNDS + 1)];
} block_context;

#endif
