#include "generator.h"

#include <string.h>

void sm2_combine(sm2_point *r, const limb *s, const limb *t, const sm2_affine *p) {
    sm2_affine base;
    uint8_t i = 255;
    sm2_copy_rom(base.x, sm2_generator[0]);
    sm2_copy_rom(base.y, sm2_generator[1]);
    memset(r, 0, sizeof *r);
    do {
        sm2_double(r);
        if (sm2_bit(s, i)) {
            sm2_add_public(r, &base);
        }
        if (sm2_bit(t, i)) {
            sm2_add_public(r, p);
        }
    } while (i-- > 0);
}
