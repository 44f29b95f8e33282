#ifndef STEELYARD_CHASKEY_H
#define STEELYARD_CHASKEY_H

#include "mac.h"

/* The permutation on four little-endian words. */
void chaskey_permute(uint8_t *state);

#endif
