#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The key schedule of FIPS 197, section 5.2: of each round key its four rows, column 0 lowest. */
typedef struct {
    uint32_t round_keys[4 * (PRIMITIVE_ROUNDS + 1)];
} block_context;

#endif
