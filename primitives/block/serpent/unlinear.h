#ifndef STEELYARD_UNLINEAR_H
#define STEELYARD_UNLINEAR_H

#include <stdint.h>

#include "rotate.h"

/* Undoes the linear transformation. */
static void unlinear(uint32_t *x) {
    uint32_t x1 = x[1];
    uint32_t x3 = x[3];
    uint32_t x2 = rotl32(x[2], 10) ^ x3 ^ (rotl32(x1, 7) & UINT32_C(0xFFFFFF80));
    uint32_t x0 = rotl32(x[0], 27) ^ x1 ^ x3;

    x[3] = rotl32(x3, 25) ^ x2 ^ x0 << 3;
    x[1] = rotl32(x1, 31) ^ x0 ^ x2;
    x[2] = rotl32(x2, 29);
    x[0] = rotl32(x0, 19);
}

#endif
