#include "stream.h"

#include "rc4.h"

/* The set-up takes the same steps, with a key byte added to j in each. */
void stream_init(stream_context *ctx, const uint8_t *key, const uint8_t *iv) {
    uint8_t i = 255;
    uint8_t at = 0;

    (void)iv;
    do {
        ctx->permutation[i] = i;
    } while (i-- > 0);
    ctx->i = 255;
    ctx->j = 0;
    do {
        rc4_step(ctx, key[at]);
        at = at == PRIMITIVE_KEY_BYTES - 1 ? 0 : (uint8_t)(at + 1);
    } while (ctx->i != 255);
    ctx->i = 0;
    ctx->j = 0;
}
