#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The expanded key K of RFC 2268, section 2. */
typedef struct {
    uint16_t key[64];
} block_context;

#endif
