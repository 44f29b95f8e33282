#include "ocb.h"

#include <string.h>

void ocb_hash(const aead_context *ctx, uint8_t *sum, const uint8_t *ad, size_t length) {
    uint8_t offset[16];
    uint8_t block[16];
    size_t index = 0;

    memset(sum, 0, 16);
    memset(offset, 0, 16);
    while (length > 0) {
        uint8_t n = (uint8_t)(length < 16 ? length : 16);

        if (n == 16) {
            ocb_next(ctx, offset, ++index);
        } else {
            ocb_add(offset, ctx->star);
        }
        memcpy(block, offset, 16);
        for (uint8_t i = 0; i < n; i++) {
            block[i] ^= *ad++;
        }
        if (n < 16) {
            block[n] ^= 0x80;
        }
        block_encrypt(&ctx->cipher, block, block);
        ocb_add(sum, block);
        length -= n;
    }
}
