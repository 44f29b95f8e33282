#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* Chaining value, number of whole blocks absorbed, and the bytes of the next one, whose room the
 * message schedule takes while a block is absorbed. */
typedef struct {
    uint32_t state[8];
    uint32_t blocks_low;
    uint32_t blocks_high;
    union {
        uint8_t bytes[PRIMITIVE_BLOCK_BYTES];
        uint32_t words[PRIMITIVE_BLOCK_BYTES / 4];
    } block;
    uint8_t used_bytes;
} hash_context;

#endif
