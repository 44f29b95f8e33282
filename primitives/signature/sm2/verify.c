#include "point.h"
#include "signature.h"

/* Whether x z^2 = X, that is, whether x is the affine coordinate of the point. */
static limb is_abscissa(const limb *x, const sm2_point *point) {
    limb t[LIMBS];
    limb u[LIMBS];
    sm2_field_enter(t, x);
    sm2_field_square(u, point->z);
    sm2_field_multiply(t, t, u);
    sm2_subtract(t, t, point->x, sm2_prime);
    return sm2_is_zero(t);
}

/* Loads a number; whether it is 1 to n - 1. */
static limb loaded(limb *a, const uint8_t *bytes) {
    sm2_load(a, bytes);
    return (limb)(sm2_is_below(a, sm2_order) & ~sm2_is_zero(a));
}

/* x + n; 0 where that is no member of the field. */
static limb next_abscissa(limb *x) {
    wide carry = 0;
    uint8_t i;
    for (i = 0; i < LIMBS; i++) {
        carry = (wide)(carry + x[i] + sm2_order[i]);
        x[i] = (limb)carry;
        carry >>= LIMB_BITS;
    }
    return (limb)(carry == 0 ? sm2_is_below(x, sm2_prime) : 0);
}

/* Steps B1 to B7. The last, r = (e + x) modulo n, is asked as whether x is r -
 * e or, x being below p and not n, that plus n: without an inversion. */
int signature_verify(const uint8_t *public_key, const uint8_t *signature, const uint8_t *digest) {
    sm2_affine key;
    sm2_point point;
    limb r[LIMBS];
    limb s[LIMBS];
    if (!loaded(r, signature) || !loaded(s, signature + 32) || !sm2_load_point(&key, public_key)) {
        return 1;
    }
    sm2_add(r, r, s, sm2_order);
    if (sm2_is_zero(r)) {
        return 1;
    }
    sm2_combine(&point, s, r, &key);
    if (sm2_is_zero(point.z)) {
        return 1;
    }
    sm2_load(r, signature);
    sm2_load(s, digest);
    sm2_reduce_once(s, 0, sm2_order);
    sm2_subtract(r, r, s, sm2_order);
    return !is_abscissa(r, &point) && !(next_abscissa(r) && is_abscissa(r, &point));
}
