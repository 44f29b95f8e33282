#include "eax.h"

#include <string.h>

#include "double.h"

void eax_omac(const aead_context *ctx, uint8_t *out, uint8_t tweak, const uint8_t *in,
              size_t length) {
    uint8_t subkey[PRIMITIVE_BLOCK_BYTES];
    uint8_t used = PRIMITIVE_BLOCK_BYTES;

    memset(out, 0, PRIMITIVE_BLOCK_BYTES);
    out[PRIMITIVE_BLOCK_BYTES - 1] = tweak;
    for (; length > 0; length--) {
        if (used == PRIMITIVE_BLOCK_BYTES) {
            block_encrypt(&ctx->cipher, out, out);
            used = 0;
        }
        out[used++] ^= *in++;
    }
    memcpy(subkey, ctx->subkey, sizeof subkey);
    if (used < PRIMITIVE_BLOCK_BYTES) {
        out[used] ^= 0x80;
        double_block(subkey);
    }
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        out[i] ^= subkey[i];
    }
    block_encrypt(&ctx->cipher, out, out);
}
