#include "ocb.h"

#include <string.h>

void ocb_finish(const aead_context *ctx, uint8_t *out, uint8_t *tag, uint8_t *offset,
                uint8_t *checksum, const uint8_t *ad, size_t ad_length, const uint8_t *in,
                uint8_t length, uint8_t decrypt) {
    uint8_t block[16];

    if (length > 0) {
        ocb_add(offset, ctx->star);
        block_encrypt(&ctx->cipher, block, offset);
        for (uint8_t i = 0; i < length; i++) {
            uint8_t from = in[i];
            uint8_t to = from ^ block[i];
            out[i] = to;
            checksum[i] = (uint8_t)(checksum[i] ^ (decrypt ? to : from));
        }
        checksum[length] ^= 0x80;
    }
    memcpy(block, ctx->dollar, 16);
    ocb_add(block, offset);
    ocb_add(block, checksum);
    block_encrypt(&ctx->cipher, block, block);
    ocb_hash(ctx, tag, ad, ad_length);
    ocb_add(tag, block);
}
