#include "comb.h"

#include <string.h>

uint8_t sm2_comb_digit(const limb *k, uint8_t i) {
    return (uint8_t)(sm2_bit(k, i) | sm2_bit(k, (uint8_t)(i + 64)) << 1 |
                     sm2_bit(k, (uint8_t)(i + 128)) << 2 | sm2_bit(k, (uint8_t)(i + 192)) << 3);
}

void sm2_comb_look_up(sm2_affine *r, uint8_t digit) {
    uint8_t d;
    uint8_t i;
    memset(r, 0, sizeof *r);
    for (d = 1; d <= COMB_POINTS; d++) {
        uint16_t apart = (uint16_t)(d ^ digit);
        limb mask = sm2_mask((limb)(0u - ((apart - 1u) >> 15 & 1u)));
        for (i = 0; i < LIMBS; i++) {
            r->x[i] = (limb)(r->x[i] | (sm2_comb[d - 1][0][i] & mask));
            r->y[i] = (limb)(r->y[i] | (sm2_comb[d - 1][1][i] & mask));
        }
    }
}
