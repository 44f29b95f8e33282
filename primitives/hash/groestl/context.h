#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* Chaining value, number of whole blocks absorbed, and the bytes of the next one, whose room a
 * permutation takes while a block is absorbed. */
typedef struct {
    uint8_t chain[PRIMITIVE_BLOCK_BYTES];
    uint8_t block[PRIMITIVE_BLOCK_BYTES];
    uint32_t blocks_low;
    uint32_t blocks_high;
    uint8_t used_bytes;
} hash_context;

#endif
