#include "point.h"

#include <string.h>

/* No sum meets equal or opposite points: before the addition the multiple is even and below n. */
void sm2_multiply(sm2_point *r, const limb *k, const sm2_affine *p) {
    uint8_t i = 255;
    memset(r, 0, sizeof *r);
    do {
        sm2_double(r);
        sm2_add_point(r, p, (limb)(0u - sm2_bit(k, i)));
    } while (i-- > 0);
}
