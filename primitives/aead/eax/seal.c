#include "eax.h"

void aead_seal(const aead_context *ctx, uint8_t *out, uint8_t *tag, const uint8_t *nonce,
               const uint8_t *ad, size_t ad_length, const uint8_t *in, size_t length) {
    uint8_t block[PRIMITIVE_BLOCK_BYTES];

    eax_omac(ctx, tag, 0, nonce, PRIMITIVE_IV_BYTES);
    eax_counter(ctx, out, tag, in, length);
    eax_omac(ctx, block, 1, ad, ad_length);
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        tag[i] ^= block[i];
    }
    eax_omac(ctx, block, 2, out, length);
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        tag[i] ^= block[i];
    }
}
