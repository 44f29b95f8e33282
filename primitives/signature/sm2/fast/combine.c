#include "comb.h"

#include <string.h>

/* Bit i of a number, beyond its end too. */
static uint8_t bit_or_zero(const limb *a, uint16_t i) {
    return i < 256 ? sm2_bit(a, (uint8_t)i) : 0;
}

/* The non-adjacent form of t: its digit i is bit i + 1 of 3 t less bit i + 1 of t, for i to 256. */
void sm2_combine(sm2_point *r, const limb *s, const limb *t, const sm2_affine *p) {
    sm2_affine other;
    limb triple[LIMBS];
    wide carry = 0;
    limb above = 0;
    uint16_t i;
    for (i = 0; i < LIMBS; i++) {
        limb doubled = (limb)(t[i] << 1 | above);
        above = (limb)(t[i] >> (LIMB_BITS - 1));
        carry = (wide)(carry + t[i] + doubled);
        triple[i] = (limb)carry;
        carry >>= LIMB_BITS;
    }
    carry = (wide)(carry + above);
    memset(r, 0, sizeof *r);
    for (i = 257; i-- > 0;) {
        uint8_t plus =
            (uint8_t)(i < 255 ? sm2_bit(triple, (uint8_t)(i + 1)) : carry >> (i - 255) & 1);
        uint8_t minus = bit_or_zero(t, (uint16_t)(i + 1));
        sm2_double(r);
        if (plus != minus) {
            other = *p;
            if (minus) {
                memset(other.y, 0, sizeof other.y);
                sm2_subtract(other.y, other.y, p->y, sm2_prime);
            }
            sm2_add_public(r, &other);
        }
        if (i < 64) {
            uint8_t digit = sm2_comb_digit(s, (uint8_t)i);
            if (digit) {
                sm2_copy_rom(other.x, sm2_comb[digit - 1][0]);
                sm2_copy_rom(other.y, sm2_comb[digit - 1][1]);
                sm2_add_public(r, &other);
            }
        }
    }
}
