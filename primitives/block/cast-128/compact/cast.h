#ifndef STEELYARD_CAST_H
#define STEELYARD_CAST_H

#include <stdint.h>

#include "context.h"
#include "rom.h"

/* S1 to S4, which the rounds use, and S5 to S8, which the key schedule uses. */
extern const ROM uint32_t cast_round_boxes[4][256];
extern const ROM uint32_t cast_key_boxes[4][256];

/* The function f of RFC 2144, section 2.2, as round number round, from 0 on, uses it. */
uint32_t cast_f(const block_context *ctx, uint32_t d, uint8_t round);

#endif
