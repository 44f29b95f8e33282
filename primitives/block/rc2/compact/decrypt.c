#include "block.h"

#include "words.h"

/* RFC 2268, section 4, in the steps of the encryption. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint16_t r[4];

    rc2_load(r, in);
    for (uint8_t step = 4 * PRIMITIVE_ROUNDS; step-- > 0;) {
        uint8_t i;
        if (step == 4 * 5 - 1 || step == 4 * 11 - 1) {
            for (i = 4; i-- > 0;) {
                r[i] = (uint16_t)(r[i] - ctx->key[r[(i + 3) & 3] & 63]);
            }
        }
        i = step & 3;
        uint16_t select = r[(i + 3) & 3];
        uint16_t t = r[i];
        for (uint8_t turns = i == 3 ? 5 : (uint8_t)(i + 1); turns > 0; turns--) {
            t = (uint16_t)(t >> 1 | t << 15);
        }
        t = (uint16_t)(t - ctx->key[step]);
        t = (uint16_t)(t - (select & r[(i + 2) & 3]));
        r[i] = (uint16_t)(t - ((uint16_t)~select & r[(i + 1) & 3]));
    }
    rc2_store(out, r);
}
