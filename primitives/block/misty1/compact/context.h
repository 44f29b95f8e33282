#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The words of the key, and those made of each and its neighbour. */
typedef struct {
    uint16_t key[8];
    uint16_t mixed[8];
} block_context;

#endif
