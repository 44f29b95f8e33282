/* Words of two bytes, which a loop over bytes would only make larger. */
#ifndef STEELYARD_SPECK_PAIR_H
#define STEELYARD_SPECK_PAIR_H

#include <stdint.h>

static inline uint16_t pair_load(const uint8_t *p) {
    return (uint16_t)((uint16_t)p[1] << 8 | p[0]);
}

static inline void pair_store(uint8_t *p, uint16_t x) {
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
}

#endif
