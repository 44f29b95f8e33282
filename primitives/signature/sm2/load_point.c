#include "point.h"

static const ROM limb coefficient_b[LIMBS] =
    NUMBER(0x240FE188uL, 0xBA20E2C8uL, 0x52798150uL, 0x5EA51C3CuL, 0x71CF379AuL, 0xE9B537ABuL,
           0x90D23063uL, 0x2BC0DD42uL);

static limb is_on_curve(const sm2_affine *point) {
    limb right[LIMBS];
    limb t[LIMBS];
    sm2_field_square(right, point->x);
    sm2_field_multiply(right, right, point->x);
    sm2_copy_rom(t, coefficient_b);
    sm2_add(right, right, t, sm2_prime);
    sm2_field_square(t, point->y);
    sm2_subtract(right, right, t, sm2_prime);
    sm2_subtract(right, right, point->x, sm2_prime);
    sm2_subtract(right, right, point->x, sm2_prime);
    sm2_subtract(right, right, point->x, sm2_prime);
    return sm2_is_zero(right);
}

limb sm2_load_point(sm2_affine *r, const uint8_t *bytes) {
    sm2_load(r->x, bytes);
    sm2_load(r->y, bytes + 32);
    if (!sm2_is_below(r->x, sm2_prime) || !sm2_is_below(r->y, sm2_prime)) {
        return 0;
    }
    sm2_field_enter(r->x, r->x);
    sm2_field_enter(r->y, r->y);
    return is_on_curve(r);
}
