#include "block.h"

#include "sparx.h"

#define BRANCH(x, y)                                                                               \
    {                                                                                              \
        for (uint8_t rounds = 3; rounds > 0; rounds--) {                                           \
            SPARX_A_INVERSE(x, y)                                                                  \
            (y) ^= *--k;                                                                           \
            (x) ^= *--k;                                                                           \
        }                                                                                          \
    }

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint16_t *k = ctx->subkeys + 2 * SPARX_STEPS * SPARX_BRANCH_KEYS;
    uint16_t x0 = sparx_load(in) ^ k[0];
    uint16_t y0 = sparx_load(in + 2) ^ k[1];
    uint16_t x1 = sparx_load(in + 4) ^ k[2];
    uint16_t y1 = sparx_load(in + 6) ^ k[3];

    for (uint8_t steps = SPARX_STEPS; steps > 0; steps--) {
        uint16_t t = x0;
        x0 = x1;
        x1 = t;
        t = y0;
        y0 = y1;
        y1 = t;
        t = x0 ^ y0;
        t = SPARX_LEFT(t, 8);
        x1 ^= x0 ^ t;
        y1 ^= y0 ^ t;
        BRANCH(x1, y1)
        BRANCH(x0, y0)
    }
    sparx_store(out, x0);
    sparx_store(out + 2, y0);
    sparx_store(out + 4, x1);
    sparx_store(out + 6, y1);
}
