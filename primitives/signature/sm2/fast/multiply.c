#include "point.h"

#include <string.h>

#define DIGIT_BITS 3
#define MULTIPLES  7

/* P to 7 P, affine. The inverses of their z are made of that of their product. */
static void list_multiples(sm2_affine *list, const sm2_affine *p) {
    limb z[MULTIPLES][LIMBS];
    limb product[MULTIPLES][LIMBS]; /* of the z so far */
    limb inverse[LIMBS];
    limb t[LIMBS];
    sm2_point point;
    uint8_t i;
    list[0] = *p;
    sm2_copy(point.x, p->x);
    sm2_copy(point.y, p->y);
    sm2_copy_rom(point.z, sm2_one);
    sm2_copy(product[0], point.z);
    for (i = 1; i < MULTIPLES; i++) {
        if (i == 1) {
            sm2_double(&point);
        } else {
            sm2_add_point(&point, p, (limb)-1);
        }
        sm2_copy(list[i].x, point.x);
        sm2_copy(list[i].y, point.y);
        sm2_copy(z[i], point.z);
        sm2_field_multiply(product[i], product[i - 1], z[i]);
    }
    sm2_invert(inverse, product[MULTIPLES - 1], 0);
    for (i = MULTIPLES - 1; i > 0; i--) {
        sm2_field_multiply(t, inverse, product[i - 1]);
        sm2_field_multiply(inverse, inverse, z[i]);
        sm2_field_square(z[i], t);
        sm2_field_multiply(list[i].x, list[i].x, z[i]);
        sm2_field_multiply(list[i].y, list[i].y, z[i]);
        sm2_field_multiply(list[i].y, list[i].y, t);
    }
}

static void look_up(sm2_affine *r, const sm2_affine *list, uint8_t digit) {
    uint8_t d;
    uint8_t i;
    memset(r, 0, sizeof *r);
    for (d = 1; d <= MULTIPLES; d++) {
        uint16_t apart = (uint16_t)(d ^ digit);
        limb mask = sm2_mask((limb)(0u - ((apart - 1u) >> 15 & 1u)));
        for (i = 0; i < LIMBS; i++) {
            r->x[i] = (limb)(r->x[i] | (list[d - 1].x[i] & mask));
            r->y[i] = (limb)(r->y[i] | (list[d - 1].y[i] & mask));
        }
    }
}

/* Three bits at a time. No sum meets equal or opposite points: before the addition the multiple is
 * none of the list's, and with the summand it is below n. */
void sm2_multiply(sm2_point *r, const limb *k, const sm2_affine *p) {
    sm2_affine list[MULTIPLES];
    sm2_affine multiple;
    uint8_t at = 255;
    uint8_t digit = sm2_bit(k, at);
    list_multiples(list, p);
    memset(r, 0, sizeof *r);
    for (;;) {
        look_up(&multiple, list, digit);
        sm2_add_point(r, &multiple, (limb)(0u - (uint8_t)((uint8_t)(digit + MULTIPLES) >> 3)));
        if (at == 0) {
            return;
        }
        digit = 0;
        do {
            at--;
            digit = (uint8_t)(digit << 1 | sm2_bit(k, at));
            sm2_double(r);
        } while (at % DIGIT_BITS != 0);
    }
}
