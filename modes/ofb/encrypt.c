#include "mode.h"

void mode_encrypt(const block_context *ctx, uint8_t *iv, uint8_t *out, const uint8_t *in,
                  size_t length) {
    while (length > 0) {
        uint8_t n = (uint8_t)(length < PRIMITIVE_BLOCK_BYTES ? length : PRIMITIVE_BLOCK_BYTES);

        block_encrypt(ctx, iv, iv);
        for (uint8_t i = 0; i < n; i++) {
            *out++ = *in++ ^ iv[i];
        }
        length -= n;
    }
}
