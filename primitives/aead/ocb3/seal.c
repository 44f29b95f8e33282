#include "ocb.h"

#include <string.h>

void aead_seal(const aead_context *ctx, uint8_t *out, uint8_t *tag, const uint8_t *nonce,
               const uint8_t *ad, size_t ad_length, const uint8_t *in, size_t length) {
    uint8_t offset[16];
    uint8_t checksum[16];
    uint8_t block[16];
    size_t index = 0;

    memset(checksum, 0, 16);
    ocb_start(ctx, offset, nonce);
    for (; length >= 16; length -= 16) {
        ocb_next(ctx, offset, ++index);
        ocb_add(checksum, in);
        memcpy(block, in, 16);
        ocb_add(block, offset);
        block_encrypt(&ctx->cipher, block, block);
        ocb_add(block, offset);
        memcpy(out, block, 16);
        in += 16;
        out += 16;
    }
    ocb_finish(ctx, out, tag, offset, checksum, ad, ad_length, in, (uint8_t)length, 0);
}
