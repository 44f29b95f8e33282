#include "block.h"

#include "words.h"

/* RFC 2268, section 3; step s mixes word s modulo 4 with key word s. The words' rotations 1, 2, 3
 * and 5 are their numbers and one, and one more for the last. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint16_t r[4];

    rc2_load(r, in);
    for (uint8_t step = 0; step < 4 * PRIMITIVE_ROUNDS; step++) {
        uint8_t i = step & 3;
        uint16_t select = r[(i + 3) & 3];
        uint16_t t = (uint16_t)(r[i] + ctx->key[step]);
        t = (uint16_t)(t + (select & r[(i + 2) & 3]));
        t = (uint16_t)(t + ((uint16_t)~select & r[(i + 1) & 3]));
        for (uint8_t turns = i == 3 ? 5 : (uint8_t)(i + 1); turns > 0; turns--) {
            t = (uint16_t)(t << 1 | t >> 15);
        }
        r[i] = t;
        if (step == 4 * 5 - 1 || step == 4 * 11 - 1) {
            for (i = 0; i < 4; i++) {
                r[i] = (uint16_t)(r[i] + ctx->key[r[(i + 3) & 3] & 63]);
            }
        }
    }
    rc2_store(out, r);
}
