#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* What is added before and after each round, whitening and constants included, for one direction.
 */
typedef struct {
    uint8_t round_keys[8 * PRIMITIVE_ROUNDS];
} block_context;

#endif
