#include "stream.h"

#include "bytes.h"
#include "trivium.h"

/* One unit's worth of bits of a register from bit n on; n is no multiple of a unit. */
ALWAYS_INLINE unit tap(const unit *units, uint8_t n) {
    units += n / UNIT_BITS;
    unit low = (unit)(units[0] >> n % UNIT_BITS);
    unit high = (unit)(units[1] << (UNIT_BITS - n % UNIT_BITS));
    return low | high;
}

static void move_down(unit *units, uint8_t count) {
    for (; count > 0; count--) {
        *units = units[UNITS_OF(32)];
        units++;
    }
}

/* The specification's update: no tap is closer than 65 bits to where bits enter. */
void trivium_clock(stream_context *ctx) {
    unit *a = ctx->a;
    unit *b = ctx->b;
    unit *c = ctx->c;
    uint8_t *out = ctx->stream;

    for (uint8_t units = UNITS_OF(32); units > 0; units--) {
        unit t1 = tap(a, 30) ^ tap(a, 3);
        unit t2 = tap(b, 27) ^ tap(b, 12);
        unit t3 = tap(c, 62) ^ tap(c, 17);
        unit z = t1 ^ t2 ^ t3;

        a[UNITS_OF(96)] = (unit)(t3 ^ (tap(c, 19) & tap(c, 18)) ^ tap(a, 27));
        b[UNITS_OF(96)] = (unit)(t1 ^ (tap(a, 5) & tap(a, 4)) ^ tap(b, 18));
        c[UNITS_OF(128)] = (unit)(t2 ^ (tap(b, 14) & tap(b, 13)) ^ tap(c, 41));
        a++;
        b++;
        c++;
#if ROTATE_IN_STEPS
        *out++ = z;
#else
        store32_le(out, z);
#endif
    }
    move_down(ctx->a, UNITS_OF(96));
    move_down(ctx->b, UNITS_OF(96));
    move_down(ctx->c, UNITS_OF(128));
}
