#include "block.h"

#include "schedule.h"
#include "sparx.h"

/* SPARX paper, section 4.2; the branches stay, and change their parts with every step, of which
 * there is an even number. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    sparx_schedule s;
    uint16_t x[4];

    sparx_schedule_start(&s, ctx);
    sparx_load_block(x, in);
    for (uint8_t half = 0; half < 2 * SPARX_STEPS; half++) {
        /* Branches in turn: 0, 1, then the exchanged 1, 0. */
        uint16_t *branch = x + ((half ^ half << 1) & 2);
        for (uint8_t i = 0; i < 6; i = (uint8_t)(i + 2)) {
            const uint16_t *pair = &SPARX_KEY(&s, i);
            branch[0] ^= pair[0];
            branch[1] ^= pair[1];
            sparx_a(branch);
        }
        sparx_schedule_next(&s);
        if (half & 1) {
            sparx_mix(branch, x + 2 - (branch - x));
        }
    }
    sparx_whiten(&s, x);
    sparx_store_block(out, x);
}
