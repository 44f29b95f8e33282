#include "mode.h"

void mode_encrypt(const block_context *ctx, uint8_t *iv, uint8_t *out, const uint8_t *in,
                  size_t length) {
    uint8_t block[PRIMITIVE_BLOCK_BYTES];

    while (length > 0) {
        uint8_t n = (uint8_t)(length < PRIMITIVE_BLOCK_BYTES ? length : PRIMITIVE_BLOCK_BYTES);

        block_encrypt(ctx, block, iv);
        for (uint8_t i = 0; i < n; i++) {
            *out++ = *in++ ^ block[i];
        }
        for (uint8_t i = PRIMITIVE_BLOCK_BYTES; i > 0 && ++iv[i - 1] == 0; i--) {
        }
        length -= n;
    }
}
