#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* Subkeys of a round: KL1, KL2, then KO1, KI1, KO2, KI2, KO3, KI3. */
#define KASUMI_ROUND_KEYS 8

typedef struct {
    uint16_t round_keys[PRIMITIVE_ROUNDS * KASUMI_ROUND_KEYS];
} block_context;

#endif
