#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The input of the next block, the last block of key stream and how much of it was taken. */
typedef struct {
    uint32_t input[16];
    uint8_t stream[64];
    uint8_t used_bytes;
} stream_context;

#endif
