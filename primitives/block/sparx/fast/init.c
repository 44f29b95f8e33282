#include "block.h"

#include "sparx.h"

/* SPARX paper, section 4.2, the permutation of the key state for SPARX-64/128. */
void block_init(block_context *ctx, const uint8_t *key) {
    uint16_t *to = ctx->subkeys;
    uint16_t k[8];
    uint16_t counter = 0;

    for (uint8_t i = 0; i < 8; i++) {
        k[i] = sparx_load(key + 2 * i);
    }
    for (;;) {
        for (uint8_t i = 0; i < 4; i++) {
            *to++ = k[i];
        }
        if (counter == 2 * SPARX_STEPS) {
            return;
        }
        *to++ = k[4];
        *to++ = k[5];
        counter++;
        uint16_t k6 = k[6];
        uint16_t k7 = (uint16_t)(k[7] + counter);
        SPARX_A(k[0], k[1])
        k[6] = k[4];
        k[7] = k[5];
        k[4] = (uint16_t)(k[2] + k[0]);
        k[5] = (uint16_t)(k[3] + k[1]);
        k[2] = k[0];
        k[3] = k[1];
        k[0] = k6;
        k[1] = k7;
    }
}
