#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

#define SPARX_STEPS (PRIMITIVE_ROUNDS / 3)

/* The words of the key alone; subkeys are made as they are needed. */
typedef struct {
    uint16_t key[8];
} block_context;

#endif
