#include "mode.h"

void mode_decrypt(const block_context *ctx, uint8_t *iv, uint8_t *out, const uint8_t *in,
                  size_t length) {
    (void)iv;
    for (; length > 0; length -= PRIMITIVE_BLOCK_BYTES) {
        block_decrypt(ctx, out, in);
        out += PRIMITIVE_BLOCK_BYTES;
        in += PRIMITIVE_BLOCK_BYTES;
    }
}
