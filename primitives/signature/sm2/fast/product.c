#include "number.h"
#include "inline.h"

/* A column of products; their low and high halves are added apart, so that no sum overflows and no
 * carry is asked for. */
typedef struct {
    wide low;
    wide high;
} column;

ALWAYS_INLINE column accumulate(column sum, limb a, limb b) {
    wide product = (wide)((wide)a * b);
    sum.low = (wide)(sum.low + (limb)product);
    sum.high = (wide)(sum.high + (product >> LIMB_BITS));
    return sum;
}

/* Adds p[0] q[-1] + p[1] q[-2] + ..., of one or more products. */
ALWAYS_INLINE column accumulate_row(column sum, const limb *p, const limb *q, uint8_t count) {
    do {
        sum = accumulate(sum, *p++, *--q);
    } while (--count);
    return sum;
}

ALWAYS_INLINE column shifted(column sum) {
    sum.low = (wide)((sum.low >> LIMB_BITS) + sum.high);
    sum.high = 0;
    return sum;
}

void sm2_product(limb *t, const limb *a, const limb *b) {
    column sum = {0, 0};
    uint8_t k;
    for (k = 0; k < 2 * LIMBS - 1; k++) {
        uint8_t first = k < LIMBS ? 0 : (uint8_t)(k - LIMBS + 1);
        sum = accumulate_row(sum, a + first, b + (k - first + 1), (uint8_t)(k - 2 * first + 1));
        t[k] = (limb)sum.low;
        sum = shifted(sum);
    }
    t[k] = (limb)sum.low;
}

/* Each product of two different limbs once, doubled. */
void sm2_product_square(limb *t, const limb *a) {
    column carried = {0, 0};
    uint8_t k;
    for (k = 0; k < 2 * LIMBS - 1; k++) {
        uint8_t first = k < LIMBS ? 0 : (uint8_t)(k - LIMBS + 1);
        uint8_t count = (uint8_t)(k - 2 * first + 1);
        column sum = {0, 0};
        if (count > 1) {
            sum = accumulate_row(sum, a + first, a + (k - first + 1), count >> 1);
        }
        sum.low = (wide)(sum.low * 2 + carried.low);
        sum.high = (wide)(sum.high * 2);
        if (count & 1) {
            sum = accumulate(sum, a[k / 2], a[k / 2]);
        }
        t[k] = (limb)sum.low;
        carried = shifted(sum);
    }
    t[k] = (limb)carried.low;
}
