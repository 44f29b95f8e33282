#ifndef STEELYARD_SERPENT_H
#define STEELYARD_SERPENT_H

#include <stdint.h>

#include "rom.h"

void serpent_linear(uint32_t *x);
void serpent_load(uint32_t *x, const uint8_t *in);
void serpent_store(uint8_t *out, const uint32_t *x);
void serpent_add(uint32_t *x, const uint32_t *round_key);

/* The eight S-boxes, one after the other. */
extern const ROM uint8_t serpent_sboxes[8][16];

/* What serpent_substitute takes for an S-box, by its number modulo 8. */
#define SERPENT_BOX(number) serpent_sboxes[(number)&7]

/* One S-box, in either direction, on all of x. */
void serpent_substitute(uint32_t *x, const ROM uint8_t *sbox);

#endif
