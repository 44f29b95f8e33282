#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The state, and how many bytes of the current block have been added to its first word. */
typedef struct {
    union {
        uint64_t words[5];
        uint8_t bytes[40];
    } state;
    uint8_t used_bytes;
} hash_context;

#endif
