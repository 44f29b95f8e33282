#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The three registers of the specification, 12, 12 and 16 bytes, with the bit that leaves next
 * lowest and the newest bit highest (the lowest 3, 12 and 17 bits of each have already left). */
typedef struct {
    uint8_t state[40];
} stream_context;

#endif
