#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

#define SKEIN_WORDS (PRIMITIVE_BLOCK_BYTES / 8)

/* Chaining value, bytes compressed so far, the bits of the tweak that mark the first block, and the
 * last bytes absorbed: up to a whole block waits, because the last one is marked in the tweak. */
typedef struct {
    uint64_t chain[SKEIN_WORDS];
    uint32_t bytes_low;
    uint32_t bytes_high;
    uint8_t first;
    uint8_t block[PRIMITIVE_BLOCK_BYTES];
    uint8_t used_bytes;
} hash_context;

#endif
