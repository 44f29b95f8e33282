#ifndef STEELYARD_POLY1305_LIMBS_H
#define STEELYARD_POLY1305_LIMBS_H

#include <stdint.h>

#include "bytes.h"

#define LIMB_MASK UINT32_C(0x3FFFFFF)

/* Sixteen bytes as four limbs of 26 bits and one of 24. */
static inline void load_limbs(uint32_t *limbs, const uint8_t *in) {
    limbs[0] = load32_le(in) & LIMB_MASK;
    limbs[1] = load32_le(in + 3) >> 2 & LIMB_MASK;
    limbs[2] = load32_le(in + 6) >> 4 & LIMB_MASK;
    limbs[3] = load32_le(in + 9) >> 6;
    limbs[4] = load32_le(in + 12) >> 8;
}

#endif
