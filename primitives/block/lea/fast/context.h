#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* Distinct words of a round key: with a key of 128 bits three of the six are the same. */
#define LEA_ROUND_WORDS (PRIMITIVE_KEY_BYTES == 16 ? 4 : 6)

typedef struct {
    uint32_t round_keys[PRIMITIVE_ROUNDS * LEA_ROUND_WORDS];
} block_context;

#endif
