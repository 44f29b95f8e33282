#include "ccm.h"

#include <string.h>

#define LENGTH_BYTES (15 - PRIMITIVE_IV_BYTES)
#define TAG_FLAGS    (PRIMITIVE_TAG_BYTES == 0 ? 0 : (PRIMITIVE_TAG_BYTES - 2) / 2 * 8)

#if PRIMITIVE_TAG_BYTES > 0
static void store_length(uint8_t *end, size_t value, uint8_t count) {
    for (; count > 0; count--) {
        *--end = (uint8_t)value;
        value >>= 8;
    }
}

/* The associated data behind its own length, zero filled to whole blocks. */
static void absorb_ad(const aead_context *ctx, uint8_t *state, const uint8_t *ad, size_t length) {
    uint8_t prefix[6];
    uint8_t at = 0;
    uint8_t prefix_bytes = length < 0xFF00u ? 2 : 6;

    prefix[0] = 0xFF;
    prefix[1] = 0xFE;
    store_length(prefix + prefix_bytes, length, prefix_bytes == 2 ? 2 : 4);
    for (; at < prefix_bytes; at++) {
        state[at] ^= prefix[at];
    }
    for (; length > 0; length--) {
        if (at == 16) {
            block_encrypt(&ctx->cipher, state, state);
            at = 0;
        }
        state[at++] ^= *ad++;
    }
    block_encrypt(&ctx->cipher, state, state);
}
#endif

void ccm_crypt(const aead_context *ctx, uint8_t *out, uint8_t *tag, const uint8_t *nonce,
               const uint8_t *ad, size_t ad_length, const uint8_t *in, size_t length,
               uint8_t decrypt) {
    uint8_t counter[16];
    uint8_t stream[16];

    counter[0] = LENGTH_BYTES - 1;
    memcpy(counter + 1, nonce, PRIMITIVE_IV_BYTES);
#if PRIMITIVE_TAG_BYTES > 0
    memcpy(tag, counter, 16);
    tag[0] = (uint8_t)(tag[0] | TAG_FLAGS | (ad_length > 0 ? 0x40 : 0));
    store_length(tag + 16, length, LENGTH_BYTES);
    block_encrypt(&ctx->cipher, tag, tag);
    if (ad_length > 0) {
        absorb_ad(ctx, tag, ad, ad_length);
    }
#else
    (void)tag;
    (void)ad;
    (void)ad_length;
#endif
    memset(counter + 16 - LENGTH_BYTES, 0, LENGTH_BYTES);
    while (length > 0) {
        uint8_t n = (uint8_t)(length < 16 ? length : 16);

        for (uint8_t i = 16; ++counter[i - 1] == 0; i--) {
        }
        block_encrypt(&ctx->cipher, stream, counter);
        for (uint8_t i = 0; i < n; i++) {
            uint8_t from = *in++;
            uint8_t to = from ^ stream[i];
            *out++ = to;
#if PRIMITIVE_TAG_BYTES > 0
            tag[i] = (uint8_t)(tag[i] ^ (decrypt ? to : from));
#endif
        }
#if PRIMITIVE_TAG_BYTES > 0
        block_encrypt(&ctx->cipher, tag, tag);
#else
        (void)decrypt;
#endif
        length -= n;
    }
#if PRIMITIVE_TAG_BYTES > 0
    memset(counter + 16 - LENGTH_BYTES, 0, LENGTH_BYTES);
    block_encrypt(&ctx->cipher, stream, counter);
    for (uint8_t i = 0; i < PRIMITIVE_TAG_BYTES; i++) {
        tag[i] ^= stream[i];
    }
#endif
}
