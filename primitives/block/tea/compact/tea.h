#ifndef STEELYARD_TEA_H
#define STEELYARD_TEA_H

#include <stdint.h>

#define TEA_DELTA UINT32_C(0x9E3779B9)

/* Wheeler and Needham, the increment of one Feistel round. */
uint32_t tea_mix(uint32_t v, uint32_t sum, const uint32_t *key);

#endif
