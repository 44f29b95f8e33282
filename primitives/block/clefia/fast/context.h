#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* Two round keys of four bytes for each round, and the whitening keys WK0 to WK3. */
typedef struct {
    uint8_t round_keys[8 * PRIMITIVE_ROUNDS];
    uint8_t whitening[16];
} block_context;

#endif
