#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* Two words for each round. */
typedef struct {
    uint32_t round_keys[2 * PRIMITIVE_ROUNDS];
} block_context;

#endif
