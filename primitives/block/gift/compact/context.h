#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The key alone, its lowest word first; round keys are made as they are needed. */
typedef struct {
    uint16_t key[8];
} block_context;

#endif
