#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* One bit of every nibble of the block. */
#if PRIMITIVE_BLOCK_BYTES == 8
typedef uint16_t gift_plane;
#else
typedef uint32_t gift_plane;
#endif

/* V and U of every round, GIFT paper. */
typedef struct {
    gift_plane round_keys[2 * PRIMITIVE_ROUNDS];
} block_context;

#endif
