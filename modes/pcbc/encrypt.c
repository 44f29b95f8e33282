#include "mode.h"

/* iv holds the exclusive or of the plaintext and the ciphertext block before. */
void mode_encrypt(const block_context *ctx, uint8_t *iv, uint8_t *out, const uint8_t *in,
                  size_t length) {
    uint8_t block[PRIMITIVE_BLOCK_BYTES];

    for (; length > 0; length -= PRIMITIVE_BLOCK_BYTES) {
        for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
            block[i] = iv[i] ^ in[i];
        }
        block_encrypt(ctx, block, block);
        for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
            iv[i] = block[i] ^ *in++;
            *out++ = block[i];
        }
    }
}
