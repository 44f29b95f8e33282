#include "point.h"
#include "signature.h"

#include <string.h>

static const ROM limb squared_radix[LIMBS] =
    NUMBER(0x1EB5E412uL, 0xA22B3D3BuL, 0x620FC84CuL, 0x3AFFE0D4uL, 0x3464504AuL, 0xDE6FA2FAuL,
           0x901192AFuL, 0x7C114F20uL);

/* The private key d is 1 to n - 2; signing reads it only as 1 / (1 + d), step A6. */
int signature_init(signature_context *ctx, uint8_t *public_key, const uint8_t *key) {
    sm2_point point;
    limb d[LIMBS];
    limb x[LIMBS];
    limb valid;
    sm2_load(d, key);
    valid = (limb)(sm2_is_below(d, sm2_order) & ~sm2_is_zero(d));
    sm2_reduce_once(d, 0, sm2_order);
    sm2_multiply_base(&point, d);
    memset(x, 0, sizeof x);
    x[0] = 1;
    sm2_add(d, d, x, sm2_order);
    valid = (limb)(valid & ~sm2_is_zero(d));
    sm2_copy_rom(x, squared_radix);
    sm2_order_multiply(d, d, x);
    sm2_invert(ctx->inverse, d, 1);
    sm2_store_point(public_key, &point);
    if (valid == 0) {
        memset(ctx, 0, sizeof *ctx);
        memset(public_key, 0, 64);
    }
    return valid == 0;
}
