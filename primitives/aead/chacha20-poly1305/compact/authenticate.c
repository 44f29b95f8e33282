#include "chapoly.h"

#include <string.h>

void chapoly_start(const aead_context *ctx, stream_context *stream, mac_context *mac,
                   const uint8_t *nonce) {
    uint8_t block[64];

    memset(block, 0, sizeof block);
    stream_init(stream, ctx->key, nonce);
    stream_crypt(stream, block, block, sizeof block);
    mac_init(mac, block);
}

static void absorb_padded(mac_context *mac, const uint8_t *in, size_t length) {
    uint8_t zeros[16];

    mac_update(mac, in, length);
    memset(zeros, 0, sizeof zeros);
    mac_update(mac, zeros, (size_t)(-length & 15));
}

static void store_length(uint8_t *out, size_t length) {
    for (uint8_t i = 0; i < 8; i++) {
        out[i] = (uint8_t)length;
        length >>= 8;
    }
}

void chapoly_tag(mac_context *mac, uint8_t *tag, const uint8_t *ad, size_t ad_length,
                 const uint8_t *ciphertext, size_t length) {
    uint8_t lengths[16];

    absorb_padded(mac, ad, ad_length);
    absorb_padded(mac, ciphertext, length);
    store_length(lengths, ad_length);
    store_length(lengths + 8, length);
    mac_update(mac, lengths, sizeof lengths);
    mac_final(mac, tag);
}
