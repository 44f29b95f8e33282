#ifndef STEELYARD_RC4_H
#define STEELYARD_RC4_H

#include "context.h"

/* The next i, j moved on by the permutation's byte there and by add, the two bytes exchanged; a
 * byte of key stream. */
uint8_t rc4_step(stream_context *ctx, uint8_t add);

#endif
