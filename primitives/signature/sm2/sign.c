#include "point.h"
#include "signature.h"

#include <string.h>

/* Steps A3 to A7, with s = (k - r d) / (1 + d) as (k + r) / (1 + d) - r. */
int signature_sign(const signature_context *ctx, uint8_t *signature, const uint8_t *digest,
                   const uint8_t *nonce) {
    sm2_point point;
    limb k[LIMBS];
    limb r[LIMBS];
    limb s[LIMBS];
    limb bad;
    sm2_load(k, nonce);
    bad = (limb)(~sm2_is_below(k, sm2_order) | sm2_is_zero(k) | sm2_is_zero(ctx->inverse));
    sm2_reduce_once(k, 0, sm2_order);
    sm2_multiply_base(&point, k);
    sm2_leave(r, s, &point);
    sm2_reduce_once(r, 0, sm2_order);
    sm2_load(s, digest);
    sm2_reduce_once(s, 0, sm2_order);
    sm2_add(r, r, s, sm2_order);
    sm2_add(s, r, k, sm2_order);
    bad = (limb)(bad | sm2_is_zero(r) | sm2_is_zero(s));
    sm2_order_multiply(s, s, ctx->inverse);
    sm2_subtract(s, s, r, sm2_order);
    bad = (limb)(bad | sm2_is_zero(s));
    sm2_store(signature, r);
    sm2_store(signature + 32, s);
    if (bad != 0) {
        memset(signature, 0, 64);
    }
    return bad != 0;
}
