#include "number.h"

/* -1/n modulo 2^32, whose low limb is -1/n modulo 2^LIMB_BITS. */
#define MULTIPLIER ((limb)(0x72350975uL))

void sm2_order_multiply(limb *r, const limb *a, const limb *b) {
    limb t[2 * LIMBS];
    limb top = 0;
    uint8_t i;
    uint8_t j;
    sm2_product(t, a, b);
    for (i = 0; i < LIMBS; i++) {
        limb multiplier = (limb)((wide)t[i] * MULTIPLIER);
        wide sum = 0;
        for (j = 0; j < LIMBS; j++) {
            sum = (wide)((wide)multiplier * sm2_order[j] + t[i + j] + (sum >> LIMB_BITS));
            t[i + j] = (limb)sum;
        }
        sum = (wide)((sum >> LIMB_BITS) + t[i + LIMBS] + top);
        t[i + LIMBS] = (limb)sum;
        top = (limb)(sum >> LIMB_BITS);
    }
    sm2_copy(r, t + LIMBS);
    sm2_reduce_once(r, top, sm2_order);
}
