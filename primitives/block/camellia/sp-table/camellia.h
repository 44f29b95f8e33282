#ifndef STEELYARD_CAMELLIA_H
#define STEELYARD_CAMELLIA_H

#include <stdint.h>

#include "rom.h"

/* RFC 3713, key schedule: the 128-bit strings of which all subkeys are rotations. */
enum { KL, KA, KR, KB };

/* Adds F(x, subkey) to y, two words each, high word first (RFC 3713, F-function). */
void camellia_add_f(uint32_t *y, const uint32_t *x, const uint32_t *subkey);

/* The functions FL and FLINV of RFC 3713, on two words. */
void camellia_fl(uint32_t *x, const uint32_t *subkey);
void camellia_fl_inverse(uint32_t *x, const uint32_t *subkey);

#endif
