#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The round keys in slices: bit i of slice b is bit b of byte i. */
typedef struct {
    uint16_t round_keys[PRIMITIVE_ROUNDS + 1][8];
} block_context;

#endif
