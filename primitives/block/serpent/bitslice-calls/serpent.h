#ifndef STEELYARD_SERPENT_H
#define STEELYARD_SERPENT_H

#include <stdint.h>

void serpent_linear(uint32_t *x);
void serpent_load(uint32_t *x, const uint8_t *in);
void serpent_store(uint8_t *out, const uint32_t *x);
void serpent_add(uint32_t *x, const uint32_t *round_key);

/* What serpent_substitute takes for an S-box, by its number modulo 8. */
#define SERPENT_BOX(number) ((uint8_t)(number)&7)

/* S-box 0 to 7 on all of x. */
void serpent_substitute(uint32_t *x, uint8_t box);

#endif
