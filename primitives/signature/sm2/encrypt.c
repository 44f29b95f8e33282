#include "masked.h"
#include "pke.h"

#include <string.h>

/* GM/T 0003.4, steps A2 to A8. */
static limb encrypts(const uint8_t *public_key, uint8_t *out, const uint8_t *nonce,
                     const uint8_t *in, size_t length) {
    sm2_affine key;
    sm2_point point;
    limb k[LIMBS];
    limb valid;
    if (!sm2_load_point(&key, public_key)) {
        return 0;
    }
    sm2_load(k, nonce);
    valid = (limb)(sm2_is_below(k, sm2_order) & ~sm2_is_zero(k));
    sm2_reduce_once(k, 0, sm2_order);
    sm2_multiply_base(&point, k);
    out[0] = UNCOMPRESSED;
    sm2_store_point(out + 1, &point);
    sm2_multiply(&point, k, &key);
    if (!sm2_mask_message(out + C1_BYTES + C3_BYTES, out + C1_BYTES, &point, in, length, 0)) {
        return 0;
    }
    return valid;
}

int pke_encrypt(const uint8_t *public_key, uint8_t *out, const uint8_t *nonce, const uint8_t *in,
                size_t length) {
    if (encrypts(public_key, out, nonce, in, length)) {
        return 0;
    }
    memset(out, 0, PRIMITIVE_OVERHEAD_BYTES + length);
    return 1;
}
