#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The key as it is: the cipher has no key schedule. */
typedef struct {
    uint8_t key[PRIMITIVE_KEY_BYTES];
} block_context;

#endif
