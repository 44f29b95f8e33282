#include "stream.h"

void stream_init(stream_context *ctx, const uint8_t *key, const uint8_t *iv) {
    uint8_t *s = ctx->permutation;

    (void)iv;
    for (uint16_t i = 0; i < 256; i++) {
        s[i] = (uint8_t)i;
    }
    uint8_t j = 0;
    for (uint16_t i = 0; i < 256; i++) {
        uint8_t si = s[i];
        j = (uint8_t)(j + si + key[i % PRIMITIVE_KEY_BYTES]);
        s[i] = s[j];
        s[j] = si;
    }
    ctx->i = 0;
    ctx->j = 0;
}
