#include "xtea.h"

uint32_t xtea_mix(uint32_t v, uint32_t sum, const uint32_t *key, uint8_t select) {
    return ((v << 4 ^ v >> 5) + v) ^ (sum + key[select & 3]);
}
