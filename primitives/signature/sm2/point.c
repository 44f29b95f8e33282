#include "point.h"

static void plus(limb *r, const limb *a, const limb *b) {
    sm2_add(r, a, b, sm2_prime);
}

static void minus(limb *r, const limb *a, const limb *b) {
    sm2_subtract(r, a, b, sm2_prime);
}

/* Jacobian doubling for a = -3 in four products and four squares; infinity stays infinity. */
void sm2_double(sm2_point *point) {
    limb slope[LIMBS];
    limb square[LIMBS];
    limb product[LIMBS];
    sm2_field_square(square, point->z);
    minus(slope, point->x, square);
    plus(square, point->x, square);
    sm2_field_multiply(slope, slope, square);
    plus(square, slope, slope);
    plus(slope, slope, square);
    sm2_field_multiply(point->z, point->z, point->y);
    plus(point->z, point->z, point->z);
    sm2_field_square(square, point->y);
    sm2_field_multiply(product, point->x, square);
    plus(product, product, product);
    plus(product, product, product);
    sm2_field_square(point->x, slope);
    minus(point->x, point->x, product);
    minus(point->x, point->x, product);
    minus(product, product, point->x);
    sm2_field_multiply(point->y, slope, product);
    sm2_field_square(square, square);
    plus(square, square, square);
    plus(square, square, square);
    plus(square, square, square);
    minus(point->y, point->y, square);
}

/* Jacobian plus affine in eight products and three squares. */
void sm2_add_point(sm2_point *point, const sm2_affine *other, limb mask) {
    sm2_point sum;
    limb distance[LIMBS];
    limb rise[LIMBS];
    limb first_time = (limb)(sm2_is_zero(point->z) & mask);
    sm2_field_square(sum.z, point->z);
    sm2_field_multiply(distance, sum.z, other->x);
    minus(distance, distance, point->x);
    sm2_field_multiply(rise, sum.z, point->z);
    sm2_field_multiply(rise, rise, other->y);
    minus(rise, rise, point->y);
    sm2_field_multiply(sum.z, point->z, distance);
    sm2_field_square(sum.y, distance);
    sm2_field_multiply(distance, distance, sum.y);
    sm2_field_multiply(sum.y, sum.y, point->x);
    sm2_field_square(sum.x, rise);
    minus(sum.x, sum.x, distance);
    minus(sum.x, sum.x, sum.y);
    minus(sum.x, sum.x, sum.y);
    minus(sum.y, sum.y, sum.x);
    sm2_field_multiply(sum.y, sum.y, rise);
    sm2_field_multiply(distance, distance, point->y);
    minus(sum.y, sum.y, distance);
    sm2_copy_rom(distance, sm2_one);
    sm2_select(sum.x, other->x, first_time);
    sm2_select(sum.y, other->y, first_time);
    sm2_select(sum.z, distance, first_time);
    sm2_select(point->x, sum.x, mask);
    sm2_select(point->y, sum.y, mask);
    sm2_select(point->z, sum.z, mask);
}
