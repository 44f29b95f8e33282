#include "number.h"

#include <string.h>

/* Added to a sum of signed terms, so that its low limb stays and its carry is never negative. */
#define BIAS 4u

/* t / 2^256 modulo p after Montgomery. p is -1 modulo 2^64, so that the multiplier of each limb is
 * the limb itself, and 2^256 - 2^224 - 2^96 + 2^64 - 1, so that its product is four limbs. The low
 * half of t becomes the multipliers. */
static void reduce(limb *r, limb *t) {
    wide carry = 0;
    uint8_t k;
    for (k = 0; k < 2 * LIMBS; k++) {
        wide sum = (wide)(carry + t[k] + ((wide)BIAS << LIMB_BITS));
        if (k >= 64 / LIMB_BITS && k < LIMBS + 64 / LIMB_BITS) {
            sum = (wide)(sum + t[k - 64 / LIMB_BITS]);
        }
        if (k >= 96 / LIMB_BITS && k < LIMBS + 96 / LIMB_BITS) {
            sum = (wide)(sum - t[k - 96 / LIMB_BITS]);
        }
        if (k >= 224 / LIMB_BITS && k < LIMBS + 224 / LIMB_BITS) {
            sum = (wide)(sum - t[k - 224 / LIMB_BITS]);
        }
        if (k < LIMBS) {
            t[k] = (limb)sum;
        } else {
            sum = (wide)(sum + t[k - LIMBS]);
            r[k - LIMBS] = (limb)sum;
        }
        carry = (wide)((sum >> LIMB_BITS) - BIAS);
    }
    sm2_reduce_once(r, (limb)carry, sm2_prime);
}

void sm2_field_multiply(limb *r, const limb *a, const limb *b) {
    limb t[2 * LIMBS];
    sm2_product(t, a, b);
    reduce(r, t);
}

void sm2_field_square(limb *r, const limb *a) {
    limb t[2 * LIMBS];
    sm2_product_square(t, a);
    reduce(r, t);
}

/* 2^512 modulo p. */
static const ROM limb squared_radix[LIMBS] =
    NUMBER(0x00000004uL, 0x00000002uL, 0x00000001uL, 0x00000001uL, 0x00000002uL, 0xFFFFFFFFuL,
           0x00000002uL, 0x00000003uL);

void sm2_field_enter(limb *r, const limb *a) {
    limb factor[LIMBS];
    sm2_copy_rom(factor, squared_radix);
    sm2_field_multiply(r, a, factor);
}

void sm2_field_leave(limb *r, const limb *a) {
    limb t[2 * LIMBS];
    sm2_copy(t, a);
    memset(t + LIMBS, 0, LIMBS * sizeof(limb));
    reduce(r, t);
}
