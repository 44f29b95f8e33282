#include "point.h"

/* The sum of equal points comes out as (0, 0, 0), of opposite ones with another x. */
void sm2_add_public(sm2_point *point, const sm2_affine *other) {
    sm2_add_point(point, other, (limb)-1);
    if (sm2_is_zero(point->x) && sm2_is_zero(point->z)) {
        sm2_copy(point->x, other->x);
        sm2_copy(point->y, other->y);
        sm2_copy_rom(point->z, sm2_one);
        sm2_double(point);
    }
}
