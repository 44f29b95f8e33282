#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The state, and how many bytes of the current block have been added to it. */
typedef struct {
    union {
        uint64_t lanes[25];
        uint8_t bytes[200];
    } state;
    uint8_t used_bytes;
} hash_context;

#endif
