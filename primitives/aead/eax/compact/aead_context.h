#ifndef STEELYARD_AEAD_CONTEXT_H
#define STEELYARD_AEAD_CONTEXT_H

#include <stdint.h>

#include "block.h"

typedef struct {
    block_context cipher;
    uint8_t subkey[PRIMITIVE_BLOCK_BYTES];
} aead_context;

#endif
