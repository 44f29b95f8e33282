#include "number.h"

#define WORDS    8
#define ALL_ONES 0xFFFFFFFFuL

/* p - 2 and n - 2, the least significant word first: Fermat's theorem. */
static const ROM uint32_t exponents[2][WORDS] = {
    {0xFFFFFFFDuL, ALL_ONES, 0, ALL_ONES, ALL_ONES, ALL_ONES, ALL_ONES, 0xFFFFFFFEuL},
    {0x39D54121uL, 0x53BBF409uL, 0x21C6052BuL, 0x7203DF6BuL, ALL_ONES, ALL_ONES, ALL_ONES,
     0xFFFFFFFEuL},
};

static void multiply(limb *r, const limb *a, uint8_t modulo_order) {
    if (modulo_order) {
        sm2_order_multiply(r, r, a);
    } else {
        sm2_field_multiply(r, r, a);
    }
}

static void square(limb *r, uint8_t times, uint8_t modulo_order) {
    for (; times > 0; times--) {
        if (modulo_order) {
            sm2_order_multiply(r, r, r);
        } else {
            sm2_field_square(r, r);
        }
    }
}

/* The exponents are public, and so are the branches on them. */
void sm2_invert(limb *r, const limb *a, uint8_t modulo_order) {
    limb base[LIMBS];
    limb ones[LIMBS]; /* a to the power of as many ones as run says */
    uint8_t run;
    uint8_t i;
    uint8_t bit;
    sm2_copy(base, a);
    sm2_copy(ones, a);
    for (run = 1; run < 32; run = (uint8_t)(run * 2)) {
        sm2_copy(r, ones);
        square(r, run, modulo_order);
        multiply(ones, r, modulo_order);
    }
    sm2_copy(r, base);
    bit = 31;
    for (i = WORDS; i-- > 0;) {
        uint32_t word = exponents[modulo_order][i];
        if (word == ALL_ONES) {
            square(r, 32, modulo_order);
            multiply(r, ones, modulo_order);
            continue;
        }
        while (bit-- > 0) {
            square(r, 1, modulo_order);
            if (word >> bit & 1) {
                multiply(r, base, modulo_order);
            }
        }
        bit = 32;
    }
}
