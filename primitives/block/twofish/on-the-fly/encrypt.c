#include "block.h"

#include "bytes.h"
#include "rotate.h"
#include "twofish.h"

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint32_t x[4];
    uint32_t f[2];

    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load32_le(in + 4 * i);
    }
    twofish_whiten(ctx, x, 0);
    for (uint8_t round = 0; round < PRIMITIVE_ROUNDS; round++) {
        uint32_t *ab = round & 1 ? x + 2 : x;
        uint32_t *cd = round & 1 ? x : x + 2;
        twofish_f(ctx, f, ab, round);
        cd[0] = rotl32(cd[0] ^ f[0], 31);
        cd[1] = rotl32(cd[1], 1) ^ f[1];
    }
    for (uint8_t i = 0; i < 2; i++) {
        uint32_t t = x[i];
        x[i] = x[i + 2];
        x[i + 2] = t;
    }
    twofish_whiten(ctx, x, 2);
    for (uint8_t i = 0; i < 4; i++) {
        store32_le(out + 4 * i, x[i]);
    }
}
