#include "ccm.h"

#include <string.h>

void aead_seal(const aead_context *ctx, uint8_t *out, uint8_t *tag, const uint8_t *nonce,
               const uint8_t *ad, size_t ad_length, const uint8_t *in, size_t length) {
#if PRIMITIVE_TAG_BYTES == 0 || PRIMITIVE_TAG_BYTES == 16
    ccm_crypt(ctx, out, tag, nonce, ad, ad_length, in, length, 0);
#else
    uint8_t whole[16];

    ccm_crypt(ctx, out, whole, nonce, ad, ad_length, in, length, 0);
    memcpy(tag, whole, PRIMITIVE_TAG_BYTES);
#endif
}
