#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* Chaining value, bytes compressed so far, and the last bytes absorbed: up to a whole block waits,
 * because the last block of a message is compressed in another way. */
typedef struct {
    uint32_t state[8];
    uint32_t bytes_low;
    uint32_t bytes_high;
    uint8_t block[PRIMITIVE_BLOCK_BYTES];
    uint8_t used_bytes;
} hash_context;

#endif
