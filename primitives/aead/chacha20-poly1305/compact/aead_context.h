#ifndef STEELYARD_AEAD_CONTEXT_H
#define STEELYARD_AEAD_CONTEXT_H

#include <stdint.h>

typedef struct {
    uint8_t key[PRIMITIVE_KEY_BYTES];
} aead_context;

#endif
