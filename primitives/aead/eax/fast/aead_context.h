#ifndef STEELYARD_AEAD_CONTEXT_H
#define STEELYARD_AEAD_CONTEXT_H

#include <stdint.h>

#include "block.h"

/* The subkeys for a last block that is whole and for one that is not, and the chaining values after
 * the blocks of the three tweaks. */
typedef struct {
    block_context cipher;
    uint8_t subkeys[2][PRIMITIVE_BLOCK_BYTES];
    uint8_t tweaked[3][PRIMITIVE_BLOCK_BYTES];
} aead_context;

#endif
