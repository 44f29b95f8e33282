#include "chapoly.h"

void aead_seal(const aead_context *ctx, uint8_t *out, uint8_t *tag, const uint8_t *nonce,
               const uint8_t *ad, size_t ad_length, const uint8_t *in, size_t length) {
    stream_context stream;
    mac_context mac;

    chapoly_start(ctx, &stream, &mac, nonce);
    stream_crypt(&stream, out, in, length);
    chapoly_tag(&mac, tag, ad, ad_length, out, length);
}
