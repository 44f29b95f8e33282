#include "number.h"

/* Column by column; the low and the high halves of the products are added apart, so that no sum
 * overflows and no carry is asked for. */
void sm2_product(limb *t, const limb *a, const limb *b) {
    wide low = 0;
    wide high = 0;
    uint8_t k;
    for (k = 0; k < 2 * LIMBS - 1; k++) {
        uint8_t i = k < LIMBS ? 0 : (uint8_t)(k - LIMBS + 1);
        uint8_t last = k < LIMBS ? k : LIMBS - 1;
        const limb *p = a + i;
        const limb *q = b + (k - i + 1);
        uint8_t left = (uint8_t)(last - i + 1);
        do {
            wide product = (wide)((wide)*p++ * *--q);
            low = (wide)(low + (limb)product);
            high = (wide)(high + (product >> LIMB_BITS));
        } while (--left);
        t[k] = (limb)low;
        low = (wide)((low >> LIMB_BITS) + high);
        high = 0;
    }
    t[k] = (limb)low;
}

void sm2_product_square(limb *t, const limb *a) {
    sm2_product(t, a, a);
}
