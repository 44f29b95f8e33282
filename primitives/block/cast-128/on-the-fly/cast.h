#ifndef STEELYARD_CAST_H
#define STEELYARD_CAST_H

#include <stdint.h>

#include "context.h"
#include "rom.h"

/* S1 to S4, which the rounds use, and S5 to S8, which the key schedule uses. */
extern const ROM uint32_t cast_round_boxes[4][256];
extern const ROM uint32_t cast_key_boxes[4][256];

/* The next step of either state: z from x where number is even, x from z where it is odd. */
void cast_renew(uint8_t *state, uint8_t number);

/* The function f as round number round, from 0 on, uses it; its states are those after step number
 * round / 4. */
uint32_t cast_f(uint32_t d, const block_context *states, uint8_t round);

/* Masking or rotation key of a round, from its state. */
uint32_t cast_subkey(const uint8_t *state, uint8_t round);

#endif
