#ifndef STEELYARD_CAMELLIA_H
#define STEELYARD_CAMELLIA_H

#include <stdint.h>

/* Adds F(x, subkey) to y, eight bytes each (RFC 3713, F-function). */
void camellia_add_f(uint8_t *y, const uint8_t *x, const uint8_t *subkey);

/* The functions FL and FLINV of RFC 3713, on eight bytes. */
void camellia_fl(uint8_t *x, const uint8_t *subkey);
void camellia_fl_inverse(uint8_t *x, const uint8_t *subkey);

#endif
