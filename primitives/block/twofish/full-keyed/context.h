#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The words K of the specification and the key-dependent S-boxes, each already
 * multiplied by its column of the matrix. */
typedef struct {
    uint32_t round_keys[2 * PRIMITIVE_ROUNDS + 8];
    uint32_t boxes[4][256];
} block_context;

#endif
