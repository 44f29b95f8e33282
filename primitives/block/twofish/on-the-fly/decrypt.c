#include "block.h"

#include "bytes.h"
#include "rotate.h"
#include "twofish.h"

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint32_t x[4];
    uint32_t f[2];

    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load32_le(in + 4 * i);
    }
    twofish_whiten(ctx, x, 2);
    /* The halves change names instead of places: a and b of the last round are the first words. */
    for (uint8_t round = PRIMITIVE_ROUNDS; round > 0;) {
        uint32_t *ab = round & 1 ? x + 2 : x;
        uint32_t *cd = round & 1 ? x : x + 2;
        round--;
        twofish_f(ctx, f, ab, round);
        cd[0] = rotl32(cd[0], 1) ^ f[0];
        cd[1] = rotl32(cd[1] ^ f[1], 31);
    }
    for (uint8_t i = 0; i < 2; i++) {
        uint32_t t = x[i];
        x[i] = x[i + 2];
        x[i + 2] = t;
    }
    twofish_whiten(ctx, x, 0);
    for (uint8_t i = 0; i < 4; i++) {
        store32_le(out + 4 * i, x[i]);
    }
}
