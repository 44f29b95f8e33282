#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include "rotate.h"

/* Trivium makes up to 65 bits at once: as many as a machine shifts well. */
#if ROTATE_IN_STEPS
typedef uint8_t unit;
#else
typedef uint32_t unit;
#endif
#define UNIT_BITS   (8 * sizeof(unit))
#define UNITS_OF(n) ((n) / UNIT_BITS)

/* The three registers of the specification with the bit that leaves next lowest and the newest bit
 * highest (the lowest 3, 12 and 17 bits have already left), room for 32 new bits in each, the last
 * key stream and how much of it was taken. */
typedef struct {
    unit a[UNITS_OF(96 + 32)];
    unit b[UNITS_OF(96 + 32)];
    unit c[UNITS_OF(128 + 32)];
    uint8_t stream[4];
    uint8_t used_bytes;
} stream_context;

#endif
