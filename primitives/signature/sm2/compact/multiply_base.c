#include "generator.h"

#include <string.h>

/* No sum meets equal or opposite points: before the addition the multiple is even and below n. */
void sm2_multiply_base(sm2_point *r, const limb *k) {
    sm2_affine base;
    uint8_t i = 255;
    sm2_copy_rom(base.x, sm2_generator[0]);
    sm2_copy_rom(base.y, sm2_generator[1]);
    memset(r, 0, sizeof *r);
    do {
        sm2_double(r);
        sm2_add_point(r, &base, (limb)(0u - sm2_bit(k, i)));
    } while (i-- > 0);
}
