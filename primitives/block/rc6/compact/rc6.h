#ifndef STEELYARD_RC6_H
#define STEELYARD_RC6_H

#include <stdint.h>

/* x rotated left by the low five bits of n. */
uint32_t rc6_rotate(uint32_t x, uint8_t n);

/* x (2x + 1) modulo 2^32, rotated left by five bits. */
uint32_t rc6_quadratic(uint32_t x);

#endif
