#include "block.h"

#include "sparx.h"

/* SPARX paper, section 4.2. */
#define BRANCH(x, y)                                                                               \
    {                                                                                              \
        for (uint8_t rounds = 3; rounds > 0; rounds--) {                                           \
            (x) ^= *k++;                                                                           \
            (y) ^= *k++;                                                                           \
            SPARX_A(x, y)                                                                          \
        }                                                                                          \
    }

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint16_t *k = ctx->subkeys;
    uint16_t x0 = sparx_load(in);
    uint16_t y0 = sparx_load(in + 2);
    uint16_t x1 = sparx_load(in + 4);
    uint16_t y1 = sparx_load(in + 6);

    for (uint8_t steps = SPARX_STEPS; steps > 0; steps--) {
        BRANCH(x0, y0)
        BRANCH(x1, y1)
        uint16_t t = x0 ^ y0;
        t = SPARX_LEFT(t, 8);
        x1 ^= x0 ^ t;
        y1 ^= y0 ^ t;
        t = x0;
        x0 = x1;
        x1 = t;
        t = y0;
        y0 = y1;
        y1 = t;
    }
    sparx_store(out, x0 ^ k[0]);
    sparx_store(out + 2, y0 ^ k[1]);
    sparx_store(out + 4, x1 ^ k[2]);
    sparx_store(out + 6, y1 ^ k[3]);
}
