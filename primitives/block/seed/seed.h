#ifndef STEELYARD_SEED_H
#define STEELYARD_SEED_H

#include <stdint.h>

/* The function G of RFC 4269. */
uint32_t seed_g(uint32_t x);

/* Adds F(x, key) to y, two words each, high word first (RFC 4269, F-function). */
void seed_add_f(uint32_t *y, const uint32_t *x, const uint32_t *key);

#endif
