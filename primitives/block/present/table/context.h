#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* Round keys of eight bytes, lowest byte first. */
typedef struct {
    uint8_t round_keys[8 * (PRIMITIVE_ROUNDS + 1)];
} block_context;

#endif
