#include "stream.h"

#include "trivium.h"

/* The specification's set-up: key, IV and three ones are loaded, then 4 * 288 steps. */
void stream_init(stream_context *ctx, const uint8_t *key, const uint8_t *iv) {
    for (uint8_t i = 0; i < 40; i++) {
        ctx->state[i] = 0;
    }
    for (uint8_t i = 0; i < 10; i++) {
        ctx->state[TRIVIUM_A + 2 + i] = key[i];
        ctx->state[TRIVIUM_B + 2 + i] = iv[i];
    }
    ctx->state[TRIVIUM_C + 2] = 7 << 1;
    for (uint8_t bytes = 4 * 288 / 8; bytes > 0; bytes--) {
        trivium_clock(ctx);
    }
}
