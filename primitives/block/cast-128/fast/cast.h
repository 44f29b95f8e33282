#ifndef STEELYARD_CAST_H
#define STEELYARD_CAST_H

#include <stdint.h>

#include "rom.h"

/* S1 to S4, which the rounds use, and S5 to S8, which the key schedule uses. */
extern const ROM uint32_t cast_round_boxes[4][256];
extern const ROM uint32_t cast_key_boxes[4][256];

/* The functions f of the three types (RFC 2144, section 2.2). */
uint32_t cast_f1(uint32_t d, uint32_t mask, uint8_t rotation);
uint32_t cast_f2(uint32_t d, uint32_t mask, uint8_t rotation);
uint32_t cast_f3(uint32_t d, uint32_t mask, uint8_t rotation);

#endif
