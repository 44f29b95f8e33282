#include "stream.h"

#include "bytes.h"
#include "trivium.h"

/* Puts 80 bits above 16 that have left already. */
static void load80(unit *units, const uint8_t *bytes) {
#if ROTATE_IN_STEPS
    units[0] = 0;
    units[1] = 0;
    for (uint8_t i = 0; i < 10; i++) {
        units[2 + i] = bytes[i];
    }
#else
    units[0] = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 24;
    units[1] = load32_le(bytes + 2);
    units[2] = load32_le(bytes + 6);
#endif
}

/* The specification's set-up: key, IV and three ones are loaded, then 4 * 288 steps. */
void stream_init(stream_context *ctx, const uint8_t *key, const uint8_t *iv) {
    load80(ctx->a, key);
    load80(ctx->b, iv);
    for (uint8_t i = 0; i < UNITS_OF(128); i++) {
        ctx->c[i] = 0;
    }
    ctx->c[UNITS_OF(17)] = (unit)((uint32_t)7 << 17 % UNIT_BITS);
    for (uint8_t words = 4 * 288 / 32; words > 0; words--) {
        trivium_clock(ctx);
    }
    ctx->used_bytes = sizeof ctx->stream;
}
