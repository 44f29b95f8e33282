#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* Four subkeys a round, and eight bytes of the key for whitening. */
typedef struct {
    uint8_t subkeys[4 * PRIMITIVE_ROUNDS];
    uint8_t whitening[8];
} block_context;

#endif
