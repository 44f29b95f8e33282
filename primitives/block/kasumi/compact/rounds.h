#ifndef STEELYARD_KASUMI_ROUNDS_H
#define STEELYARD_KASUMI_ROUNDS_H

#include "context.h"

/* Loads a block as left and right half, runs the rounds from `round` on, upwards or, with the step
 * 0xFF, downwards, and stores the block. */
void kasumi_rounds(const block_context *ctx, uint8_t *out, const uint8_t *in, uint8_t round,
                   uint8_t step);

#endif
