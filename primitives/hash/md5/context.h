#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* Chaining value, number of whole blocks absorbed, and the bytes of the next one. */
typedef struct {
    uint32_t state[4];
    uint32_t blocks_low;
    uint32_t blocks_high;
    uint8_t used_bytes;
    uint8_t block[PRIMITIVE_BLOCK_BYTES];
} hash_context;

#endif
