#ifndef STEELYARD_ROTATE_H
#define STEELYARD_ROTATE_H

#include <stdint.h>

/* x rotated left by the low five bits of n. */
uint32_t mars_rotate(uint32_t x, uint8_t n);

/* One routine for all rotations, known and unknown. */
#define rotl32          mars_rotate
#define rotl32_variable mars_rotate

#endif
