#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The masking keys Km and rotation keys Kr of RFC 2144, section 2.4. */
typedef struct {
    uint32_t masks[PRIMITIVE_ROUNDS];
    uint8_t rotations[PRIMITIVE_ROUNDS];
} block_context;

#endif
