#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The key schedule w of FIPS 197, section 5.2, in byte order. */
typedef struct {
    uint8_t round_keys[PRIMITIVE_BLOCK_BYTES * (PRIMITIVE_ROUNDS + 1)];
} block_context;

#endif
