#include "ccm.h"

#include "tag.h"

int aead_open(const aead_context *ctx, uint8_t *out, const uint8_t *tag, const uint8_t *nonce,
              const uint8_t *ad, size_t ad_length, const uint8_t *in, size_t length) {
    uint8_t expected[16];

    ccm_crypt(ctx, out, expected, nonce, ad, ad_length, in, length, 1);
#if PRIMITIVE_TAG_BYTES == 0
    (void)tag;
    return 0;
#else
    return verify_tag(tag, expected, PRIMITIVE_TAG_BYTES, out, length);
#endif
}
