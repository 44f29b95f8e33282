#include "mode.h"

void mode_encrypt(const block_context *ctx, uint8_t *iv, uint8_t *out, const uint8_t *in,
                  size_t length) {
    for (; length > 0; length -= PRIMITIVE_BLOCK_BYTES) {
        for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
            iv[i] ^= in[i];
        }
        block_encrypt(ctx, iv, iv);
        for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
            *out++ = iv[i];
        }
        in += PRIMITIVE_BLOCK_BYTES;
    }
}
