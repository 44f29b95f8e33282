#include "gcm.h"

#include <string.h>

void gcm_ghash(const aead_context *ctx, uint8_t *y, const uint8_t *in, size_t length) {
    while (length > 0) {
        uint8_t n = (uint8_t)(length < 16 ? length : 16);

        for (uint8_t i = 0; i < n; i++) {
            y[i] ^= *in++;
        }
        gcm_multiply(ctx, y);
        length -= n;
    }
}

static void add_bits(uint8_t *end, size_t bytes) {
    end[-1] ^= (uint8_t)(bytes << 3);
    bytes >>= 5;
    for (uint8_t i = 2; i <= 8; i++) {
        end[-i] = (uint8_t)(end[-i] ^ (uint8_t)bytes);
        bytes >>= 8;
    }
}

void gcm_tag(const aead_context *ctx, uint8_t *y, const uint8_t *nonce, size_t ad_length,
             size_t length) {
    uint8_t block[16];

    add_bits(y + 8, ad_length);
    add_bits(y + 16, length);
    gcm_multiply(ctx, y);
    memcpy(block, nonce, 12);
    memset(block + 12, 0, 3);
    block[15] = 1;
    block_encrypt(&ctx->cipher, block, block);
    for (uint8_t i = 0; i < 16; i++) {
        y[i] ^= block[i];
    }
}
