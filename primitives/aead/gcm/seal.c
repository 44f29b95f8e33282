#include "gcm.h"

#include <string.h>

/* SP 800-38D, section 7.1. */
void aead_seal(const aead_context *ctx, uint8_t *out, uint8_t *tag, const uint8_t *nonce,
               const uint8_t *ad, size_t ad_length, const uint8_t *in, size_t length) {
    gcm_counter(ctx, out, nonce, in, length);
    memset(tag, 0, 16);
    gcm_ghash(ctx, tag, ad, ad_length);
    gcm_ghash(ctx, tag, out, length);
    gcm_tag(ctx, tag, nonce, ad_length, length);
}
