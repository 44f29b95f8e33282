#include "masked.h"
#include "pke.h"
#include "tag.h"

#include <string.h>

/* GM/T 0003.4, steps B1 to B6. */
static uint8_t decrypts(const uint8_t *key, uint8_t *out, uint8_t *digest, const uint8_t *in,
                        size_t length) {
    sm2_affine other;
    sm2_point point;
    limb d[LIMBS];
    limb next[LIMBS];
    limb valid;
    if (in[0] != UNCOMPRESSED || !sm2_load_point(&other, in + 1)) {
        return 0;
    }
    sm2_load(d, key);
    valid = (limb)(sm2_is_below(d, sm2_order) & ~sm2_is_zero(d));
    sm2_reduce_once(d, 0, sm2_order);
    memset(next, 0, sizeof next);
    next[0] = 1;
    sm2_add(next, d, next, sm2_order);
    valid = (limb)(valid & ~sm2_is_zero(next));
    sm2_multiply(&point, d, &other);
    return sm2_mask_message(out, digest, &point, in + PRIMITIVE_OVERHEAD_BYTES, length, 1) &&
           valid != 0;
}

int pke_decrypt(const uint8_t *key, uint8_t *out, const uint8_t *in, size_t length) {
    uint8_t digest[C3_BYTES];
    if (!decrypts(key, out, digest, in, length)) {
        memset(out, 0, length);
        return 1;
    }
    return verify_tag(in + C1_BYTES, digest, C3_BYTES, out, length);
}
