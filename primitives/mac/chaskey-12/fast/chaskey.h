#ifndef STEELYARD_CHASKEY_H
#define STEELYARD_CHASKEY_H

#include "mac.h"

/* Adds a block of bytes to the state. */
void chaskey_add(uint32_t *state, const uint8_t *block);

void chaskey_permute(uint32_t *state);

#endif
