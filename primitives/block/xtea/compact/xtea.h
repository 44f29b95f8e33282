#ifndef STEELYARD_XTEA_H
#define STEELYARD_XTEA_H

#include <stdint.h>

#define XTEA_DELTA UINT32_C(0x9E3779B9)

/* Needham and Wheeler, the increment of one Feistel round; select holds the key word's number in
 * its lowest two bits. */
uint32_t xtea_mix(uint32_t v, uint32_t sum, const uint32_t *key, uint8_t select);

#endif
