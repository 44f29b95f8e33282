#include "ocb.h"

#include <string.h>

#include "tag.h"

int aead_open(const aead_context *ctx, uint8_t *out, const uint8_t *tag, const uint8_t *nonce,
              const uint8_t *ad, size_t ad_length, const uint8_t *in, size_t length) {
#if defined(PART_INIT_DECRYPT)
    const block_context *inverse = &ctx->inverse;
#else
    const block_context *inverse = &ctx->cipher;
#endif
    uint8_t offset[16];
    uint8_t checksum[16];
    uint8_t block[16];
    size_t left = length;
    size_t index = 0;
    uint8_t *to = out;

    memset(checksum, 0, 16);
    ocb_start(ctx, offset, nonce);
    for (; left >= 16; left -= 16) {
        ocb_next(ctx, offset, ++index);
        memcpy(block, in, 16);
        ocb_add(block, offset);
        block_decrypt(inverse, block, block);
        ocb_add(block, offset);
        ocb_add(checksum, block);
        memcpy(to, block, 16);
        in += 16;
        to += 16;
    }
    ocb_finish(ctx, to, block, offset, checksum, ad, ad_length, in, (uint8_t)left, 1);
    return verify_tag(tag, block, 16, out, length);
}
