#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The key, added before and after the permutation. */
typedef struct {
    uint32_t key[4];
} block_context;

#endif
