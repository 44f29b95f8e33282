#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The permutation S and the two indices into it. */
typedef struct {
    uint8_t permutation[256];
    uint8_t i;
    uint8_t j;
} stream_context;

#endif
