#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The words K of the specification and the vector S as bytes. */
typedef struct {
    uint32_t round_keys[2 * PRIMITIVE_ROUNDS + 8];
    uint8_t list[PRIMITIVE_KEY_BYTES / 2];
} block_context;

#endif
