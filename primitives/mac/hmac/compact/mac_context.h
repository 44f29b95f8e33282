#ifndef STEELYARD_MAC_CONTEXT_H
#define STEELYARD_MAC_CONTEXT_H

#include <stdint.h>

#include "hash.h"

typedef struct {
    hash_context hash;
    uint8_t key[PRIMITIVE_KEY_BYTES];
} mac_context;

#endif
