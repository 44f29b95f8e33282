#include "eax.h"

#include <string.h>

static void add(uint8_t *to, const uint8_t *from) {
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        to[i] ^= from[i];
    }
}

void eax_omac(const aead_context *ctx, uint8_t *out, uint8_t tweak, const uint8_t *in,
              size_t length) {
    if (length == 0) {
        memset(out, 0, PRIMITIVE_BLOCK_BYTES);
        out[PRIMITIVE_BLOCK_BYTES - 1] = tweak;
        add(out, ctx->subkeys[0]);
        block_encrypt(&ctx->cipher, out, out);
        return;
    }
    memcpy(out, ctx->tweaked[tweak], PRIMITIVE_BLOCK_BYTES);
    for (; length > PRIMITIVE_BLOCK_BYTES; length -= PRIMITIVE_BLOCK_BYTES) {
        add(out, in);
        block_encrypt(&ctx->cipher, out, out);
        in += PRIMITIVE_BLOCK_BYTES;
    }
    if (length == PRIMITIVE_BLOCK_BYTES) {
        add(out, in);
        add(out, ctx->subkeys[0]);
    } else {
        for (uint8_t i = 0; i < (uint8_t)length; i++) {
            out[i] ^= in[i];
        }
        out[length] ^= 0x80;
        add(out, ctx->subkeys[1]);
    }
    block_encrypt(&ctx->cipher, out, out);
}
