#include "chapoly.h"

#include "tag.h"

int aead_open(const aead_context *ctx, uint8_t *out, const uint8_t *tag, const uint8_t *nonce,
              const uint8_t *ad, size_t ad_length, const uint8_t *in, size_t length) {
    stream_context stream;
    mac_context mac;
    uint8_t expected[PRIMITIVE_TAG_BYTES];

    chapoly_start(ctx, &stream, &mac, nonce);
    chapoly_tag(&mac, expected, ad, ad_length, in, length);
    if (verify_tag(tag, expected, PRIMITIVE_TAG_BYTES, out, length) != 0) {
        return 1;
    }
    stream_crypt(&stream, out, in, length);
    return 0;
}
