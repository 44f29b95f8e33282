#include "tea.h"

uint32_t tea_mix(uint32_t v, uint32_t sum, const uint32_t *key) {
    return ((v << 4) + key[0]) ^ (v + sum) ^ ((v >> 5) + key[1]);
}
