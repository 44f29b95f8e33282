#ifndef STEELYARD_CAMELLIA_H
#define STEELYARD_CAMELLIA_H

#include <stdint.h>

/* RFC 3713, key schedule: the 128-bit strings of which all subkeys are rotations. */
enum { KL, KA, KR, KB };

/* Adds F(x, subkey) to y, eight bytes each (RFC 3713, F-function). */
void camellia_add_f(uint8_t *y, const uint8_t *x, const uint8_t *subkey);

/* The functions FL and FLINV of RFC 3713, on eight bytes. */
void camellia_fl(uint8_t *x, const uint8_t *subkey);
void camellia_fl_inverse(uint8_t *x, const uint8_t *subkey);

#endif
