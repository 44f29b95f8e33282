#ifndef STEELYARD_AEAD_CONTEXT_H
#define STEELYARD_AEAD_CONTEXT_H

#include "block.h"

typedef struct {
    block_context cipher;
} aead_context;

#endif
