#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The whitening keys of the direction the context is for, and the core key. */
typedef struct {
    uint8_t before[8];
    uint8_t after[8];
    uint8_t core[8];
} block_context;

#endif
