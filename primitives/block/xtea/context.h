#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The key as four words; the cipher has no other key schedule. */
typedef struct {
    uint32_t key[4];
} block_context;

#endif
