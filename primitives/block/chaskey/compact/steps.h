#ifndef STEELYARD_CHASKEY_STEPS_H
#define STEELYARD_CHASKEY_STEPS_H

#include <stdint.h>

#include "rom.h"

/* Chaskey paper, section 3, a round as four steps: to the word numbered first the second is added,
 * the second is rotated left by the third and the first added to it, the first is rotated left by
 * the fourth. */
extern const ROM uint8_t chaskey_steps[16];

uint32_t chaskey_rotate(uint32_t x, uint8_t left);

/* The block as four words, the key added to it. */
void chaskey_load(uint32_t *v, const uint8_t *in, const uint8_t *key);
void chaskey_store(uint8_t *out, const uint32_t *v, const uint8_t *key);

#endif
