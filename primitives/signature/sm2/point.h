/* Points of the curve y^2 = x^3 - 3 x + b; coordinates in Montgomery form. */
#ifndef SM2_POINT_H
#define SM2_POINT_H

#include "number.h"

typedef struct {
    limb x[LIMBS];
    limb y[LIMBS];
} sm2_affine;

/* The affine point (x / z^2, y / z^3); infinity where z is 0. */
typedef struct {
    limb x[LIMBS];
    limb y[LIMBS];
    limb z[LIMBS];
} sm2_point;

void sm2_double(sm2_point *point);

/* point + other where mask is all ones; point is not other. */
void sm2_add_point(sm2_point *point, const sm2_affine *other, limb mask);

/* point + other, whatever they are; the time depends on them. */
void sm2_add_public(sm2_point *point, const sm2_affine *other);

/* k G, for k of 1 to n - 1. */
void sm2_multiply_base(sm2_point *r, const limb *k);

/* k P, for k of 1 to n - 1. */
void sm2_multiply(sm2_point *r, const limb *k, const sm2_affine *p);

/* s G + t P, in a time that depends on all of them. */
void sm2_combine(sm2_point *r, const limb *s, const limb *t, const sm2_affine *p);

/* The affine coordinates of a point that is not infinity, out of Montgomery form. */
void sm2_leave(limb *x, limb *y, const sm2_point *point);

/* Loads x and y; whether they are a point of the curve, in a time that depends on it. */
limb sm2_load_point(sm2_affine *r, const uint8_t *bytes);

/* Stores x and y of a point that is not infinity. */
void sm2_store_point(uint8_t *bytes, const sm2_point *point);

#endif
