#ifndef STEELYARD_SPARX_H
#define STEELYARD_SPARX_H

#include <stdint.h>

#define SPARX_LEFT(x, n) ((uint16_t)((x) << (n) | (x) >> (16 - (n))))

/* SPARX paper, section 4.1: the ARX-box A on a pair of words. */
void sparx_a(uint16_t *pair);

static inline uint16_t sparx_load(const uint8_t *p) {
    return (uint16_t)((uint16_t)p[1] << 8 | p[0]);
}

static inline void sparx_store(uint8_t *p, uint16_t x) {
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
}

#endif
