#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The round keys S of the RC6 paper. */
#define RC6_ROUND_KEYS (2 * PRIMITIVE_ROUNDS + 4)

typedef struct {
    uint32_t round_keys[RC6_ROUND_KEYS];
} block_context;

#endif
