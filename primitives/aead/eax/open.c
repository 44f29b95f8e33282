#include "eax.h"

#include "tag.h"

int aead_open(const aead_context *ctx, uint8_t *out, const uint8_t *tag, const uint8_t *nonce,
              const uint8_t *ad, size_t ad_length, const uint8_t *in, size_t length) {
    uint8_t start[PRIMITIVE_BLOCK_BYTES];
    uint8_t expected[PRIMITIVE_BLOCK_BYTES];
    uint8_t block[PRIMITIVE_BLOCK_BYTES];

    eax_omac(ctx, start, 0, nonce, PRIMITIVE_IV_BYTES);
    eax_omac(ctx, expected, 1, ad, ad_length);
    eax_omac(ctx, block, 2, in, length);
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        expected[i] ^= start[i] ^ block[i];
    }
    if (verify_tag(tag, expected, PRIMITIVE_TAG_BYTES, out, length) != 0) {
        return 1;
    }
    eax_counter(ctx, out, start, in, length);
    return 0;
}
