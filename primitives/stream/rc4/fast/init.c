#include "stream.h"

#define WHOLE_PASSES (256 / PRIMITIVE_KEY_BYTES)
#define LAST_STEPS   (256 % PRIMITIVE_KEY_BYTES)

/* Pointers take the place of the specification's indices, and the key is walked in an inner
 * loop, which spares each step the remainder by the key's length. */
void stream_init(stream_context *ctx, const uint8_t *key, const uint8_t *iv) {
    uint8_t *si = ctx->permutation;
    uint8_t i = 0;
    uint8_t j = 0;

    (void)iv;
    do {
        *si++ = i++;
    } while (i != 0);
    si = ctx->permutation;
    for (uint16_t passes = WHOLE_PASSES + (LAST_STEPS > 0); passes > 0; passes--) {
        const uint8_t *from = key;
        uint8_t left = LAST_STEPS > 0 && passes == 1 ? LAST_STEPS : (uint8_t)PRIMITIVE_KEY_BYTES;
        do {
            uint8_t old = *si;
            j = (uint8_t)(j + old + *from++);
            uint8_t *sj = ctx->permutation + j;
            *si++ = *sj;
            *sj = old;
        } while (--left != 0);
    }
    ctx->i = 0;
    ctx->j = 0;
}
