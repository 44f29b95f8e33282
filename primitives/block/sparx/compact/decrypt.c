#include "block.h"

#include "schedule.h"
#include "sparx.h"

static void unmix(uint16_t *pair) {
    uint16_t y = pair[0] ^ pair[1];
    uint16_t x = pair[0];

    y = SPARX_LEFT(y, 14);
    x = (uint16_t)(x - y);
    pair[0] = SPARX_LEFT(x, 7);
    pair[1] = y;
}

static void schedule_back(sparx_schedule *s) {
    s->at = (uint8_t)(s->at + 2) & 7;
    SPARX_KEY(s, 7) = (uint16_t)(SPARX_KEY(s, 7) - s->counter);
    s->counter--;
    uint16_t *pair = s->k + s->at;
    SPARX_KEY(s, 2) = (uint16_t)(SPARX_KEY(s, 2) - pair[0]);
    SPARX_KEY(s, 3) = (uint16_t)(SPARX_KEY(s, 3) - pair[1]);
    unmix(pair);
}

/* Runs the key schedule to its end, then back beside the data. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    sparx_schedule s;
    uint16_t x[4];

    sparx_schedule_start(&s, ctx);
    while (s.counter != 2 * SPARX_STEPS) {
        sparx_schedule_next(&s);
    }
    sparx_load_block(x, in);
    sparx_whiten(&s, x);
    for (uint8_t half = 2 * SPARX_STEPS; half-- > 0;) {
        uint16_t *branch = x + ((half ^ half << 1) & 2);
        if (half & 1) {
            sparx_mix(branch, x + 2 - (branch - x));
        }
        schedule_back(&s);
        for (uint8_t i = 6; i > 0; i = (uint8_t)(i - 2)) {
            const uint16_t *pair = &SPARX_KEY(&s, i - 2);
            unmix(branch);
            branch[0] ^= pair[0];
            branch[1] ^= pair[1];
        }
    }
    sparx_store_block(out, x);
}
