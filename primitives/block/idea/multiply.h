#ifndef STEELYARD_IDEA_MULTIPLY_H
#define STEELYARD_IDEA_MULTIPLY_H

#include <stdint.h>

/* Multiplication modulo 65537 where 0 stands for 65536. */
uint16_t idea_multiply(uint16_t a, uint16_t b);

#endif
