#include "point.h"

void sm2_leave(limb *x, limb *y, const sm2_point *point) {
    limb inverse[LIMBS];
    limb square[LIMBS];
    sm2_invert(inverse, point->z, 0);
    sm2_field_square(square, inverse);
    sm2_field_multiply(x, point->x, square);
    sm2_field_leave(x, x);
    sm2_field_multiply(y, square, inverse);
    sm2_field_multiply(y, y, point->y);
    sm2_field_leave(y, y);
}

void sm2_store_point(uint8_t *bytes, const sm2_point *point) {
    limb x[LIMBS];
    limb y[LIMBS];
    sm2_leave(x, y, point);
    sm2_store(bytes, x);
    sm2_store(bytes + 32, y);
}
