#ifndef STEELYARD_CAMELLIA_H
#define STEELYARD_CAMELLIA_H

#include <stdint.h>

#include "rom.h"

/* Adds F(x, subkey) to y, two words each, high word first (RFC 3713, section 2.4.1). */
void camellia_add_f(uint32_t *y, const uint32_t *x, const uint32_t *subkey);

/* FL and FLINV (sections 2.4.2 and 2.4.3) on two words. */
void camellia_fl(uint32_t *x, const uint32_t *subkey);
void camellia_fl_inverse(uint32_t *x, const uint32_t *subkey);

#endif
