/* Multiples of the base point, for four bits of a scalar 64 apart. */
#ifndef SM2_COMB_H
#define SM2_COMB_H

#include "point.h"

#define COMB_POINTS 15

extern const ROM limb sm2_comb[COMB_POINTS][2][LIMBS];

/* The bits i, i + 64, i + 128 and i + 192 of k. */
uint8_t sm2_comb_digit(const limb *k, uint8_t i);

/* The multiple of that digit, 1 to 15; reads the whole table. Another digit gives zeros. */
void sm2_comb_look_up(sm2_affine *r, uint8_t digit);

#endif
