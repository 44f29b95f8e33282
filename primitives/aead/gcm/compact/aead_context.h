#ifndef STEELYARD_AEAD_CONTEXT_H
#define STEELYARD_AEAD_CONTEXT_H

#include <stdint.h>

#include "block.h"

typedef struct {
    block_context cipher;
    uint8_t hash_key[16];
} aead_context;

#endif
