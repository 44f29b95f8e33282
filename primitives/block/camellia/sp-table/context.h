#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* A 64-bit subkey for each round, two for each FL layer and two for each whitening. */
#define CAMELLIA_SUBKEYS (PRIMITIVE_ROUNDS + 2 * (PRIMITIVE_ROUNDS / 6 - 1) + 4)

/* The subkeys in the order of encryption. */
typedef struct {
    uint32_t subkeys[2 * CAMELLIA_SUBKEYS];
} block_context;

#endif
