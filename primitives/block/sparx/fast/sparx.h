#ifndef STEELYARD_SPARX_H
#define STEELYARD_SPARX_H

#include <stdint.h>

#define SPARX_LEFT(x, n) ((uint16_t)((x) << (n) | (x) >> (16 - (n))))

/* SPARX paper, section 4.1: the ARX-box A, and its inverse. */
#define SPARX_A(x, y)                                                                              \
    {                                                                                              \
        (x) = (uint16_t)(SPARX_LEFT(x, 9) + (y));                                                  \
        (y) = (uint16_t)(SPARX_LEFT(y, 2) ^ (x));                                                  \
    }

#define SPARX_A_INVERSE(x, y)                                                                      \
    {                                                                                              \
        (y) = (uint16_t)((y) ^ (x));                                                               \
        (y) = SPARX_LEFT(y, 14);                                                                   \
        (x) = (uint16_t)((x) - (y));                                                               \
        (x) = SPARX_LEFT(x, 7);                                                                    \
    }

static inline uint16_t sparx_load(const uint8_t *p) {
    return (uint16_t)((uint16_t)p[1] << 8 | p[0]);
}

static inline void sparx_store(uint8_t *p, uint16_t x) {
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
}

#endif
