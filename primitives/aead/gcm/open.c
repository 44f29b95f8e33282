#include "gcm.h"

#include <string.h>

#include "tag.h"

/* SP 800-38D, section 7.2. */
int aead_open(const aead_context *ctx, uint8_t *out, const uint8_t *tag, const uint8_t *nonce,
              const uint8_t *ad, size_t ad_length, const uint8_t *in, size_t length) {
    uint8_t expected[16];

    memset(expected, 0, 16);
    gcm_ghash(ctx, expected, ad, ad_length);
    gcm_ghash(ctx, expected, in, length);
    gcm_tag(ctx, expected, nonce, ad_length, length);
    if (verify_tag(tag, expected, 16, out, length) != 0) {
        return 1;
    }
    gcm_counter(ctx, out, nonce, in, length);
    return 0;
}
