#include "stream.h"

#include "trivium.h"

/* The eight bits of the state from a bit on. */
static uint8_t tap(const uint8_t *state, uint8_t bit) {
    const uint8_t *at = state + bit / 8;
    return (uint8_t)((uint16_t)((uint16_t)at[1] << 8 | at[0]) >> bit % 8);
}

#define TAP_A(n) tap(s, 8 * TRIVIUM_A + (n))
#define TAP_B(n) tap(s, 8 * TRIVIUM_B + (n))
#define TAP_C(n) tap(s, 8 * TRIVIUM_C + (n))

/* The specification's update, for eight steps: no tap is closer than 65 bits to where bits enter.
 */
uint8_t trivium_clock(stream_context *ctx) {
    uint8_t *s = ctx->state;
    uint8_t t1 = TAP_A(30) ^ TAP_A(3);
    uint8_t t2 = TAP_B(27) ^ TAP_B(12);
    uint8_t t3 = TAP_C(62) ^ TAP_C(17);
    uint8_t z = t1 ^ t2 ^ t3;

    t1 = (uint8_t)(t1 ^ (TAP_A(5) & TAP_A(4)) ^ TAP_B(18));
    t2 = (uint8_t)(t2 ^ (TAP_B(14) & TAP_B(13)) ^ TAP_C(41));
    t3 = (uint8_t)(t3 ^ (TAP_C(19) & TAP_C(18)) ^ TAP_A(27));
    for (uint8_t i = 0; i < 39; i++) {
        s[i] = s[i + 1];
    }
    s[TRIVIUM_B - 1] = t3;
    s[TRIVIUM_C - 1] = t1;
    s[39] = t2;
    return z;
}
