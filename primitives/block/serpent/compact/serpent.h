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

/* One S-box, in either direction, on all of x. */
void serpent_substitute(uint32_t *x, const ROM uint8_t *sbox);

/* Replaces prekey i by the one eight later. */
void serpent_next_prekey(uint32_t *prekeys, uint8_t i);

/* The round key made of the four prekeys of that round. */
void serpent_round_key(uint32_t *round_key, const uint32_t *prekeys, uint8_t round);

#endif
