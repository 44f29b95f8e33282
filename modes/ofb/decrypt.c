#include "mode.h"

/* The key stream is the same in both directions. */
void mode_decrypt(const block_context *ctx, uint8_t *iv, uint8_t *out, const uint8_t *in,
                  size_t length) {
    mode_encrypt(ctx, iv, out, in, length);
}
