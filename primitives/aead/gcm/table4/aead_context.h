#ifndef STEELYARD_AEAD_CONTEXT_H
#define STEELYARD_AEAD_CONTEXT_H

#include <stdint.h>

#include "block.h"

/* multiples[n] is the hash key times the polynomial of the four bits of n, the highest one for 1.
 */
typedef struct {
    block_context cipher;
    uint8_t multiples[16][16];
} aead_context;

#endif
