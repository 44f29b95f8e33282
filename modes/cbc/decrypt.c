#include "mode.h"

void mode_decrypt(const block_context *ctx, uint8_t *iv, uint8_t *out, const uint8_t *in,
                  size_t length) {
    uint8_t block[PRIMITIVE_BLOCK_BYTES];

    for (; length > 0; length -= PRIMITIVE_BLOCK_BYTES) {
        block_decrypt(ctx, block, in);
        for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
            uint8_t ciphertext = *in++;
            *out++ = block[i] ^ iv[i];
            iv[i] = ciphertext;
        }
    }
}
