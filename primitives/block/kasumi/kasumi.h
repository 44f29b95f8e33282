#ifndef STEELYARD_KASUMI_H
#define STEELYARD_KASUMI_H

#include "context.h"

/* 3GPP TS 35.202, on a half block as two words, the left one first. */
uint16_t kasumi_fi(uint16_t in, uint16_t key);

/* FL with k[0] and k[1], FO with the other subkeys of the round. */
void kasumi_fl(uint16_t *x, const uint16_t *k);
void kasumi_fo(uint16_t *x, const uint16_t *k);

#endif
