#ifndef STEELYARD_RC5_H
#define STEELYARD_RC5_H

#include <stdint.h>

/* x rotated left by the low five bits of n. */
uint32_t rc5_rotate(uint32_t x, uint8_t n);

#endif
