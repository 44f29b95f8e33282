#ifndef STEELYARD_MAC_CONTEXT_H
#define STEELYARD_MAC_CONTEXT_H

#include <stdint.h>

#include "block.h"

/* Chaining value, to which the bytes of a block that is not known to be whole yet, or the last, are
 * added already. */
typedef struct {
    block_context cipher;
    uint8_t state[PRIMITIVE_BLOCK_BYTES];
    uint8_t used_bytes;
} mac_context;

#endif
