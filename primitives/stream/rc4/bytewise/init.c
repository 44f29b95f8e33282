#include "stream.h"

void stream_init(stream_context *ctx, const uint8_t *key, const uint8_t *iv) {
    uint8_t *s = ctx->permutation;
    uint8_t at = 0;
    uint8_t j = 0;

    (void)iv;
    do {
        s[at] = at;
        at++;
    } while (at != 0);
    at = 0;
    const uint8_t *from = key;
    do {
        uint8_t si = s[at];
        j = (uint8_t)(j + si + *from++);
        s[at] = s[j];
        s[j] = si;
        if (from == key + PRIMITIVE_KEY_BYTES) {
            from = key;
        }
        at++;
    } while (at != 0);
    ctx->i = 0;
    ctx->j = 0;
}
