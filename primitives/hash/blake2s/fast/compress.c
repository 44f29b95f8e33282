#include "hash.h"

#include "blake2s.h"
#include "bytes.h"
#include "rom.h"
#include "rotate.h"

/* RFC 7693, section 2.7, a byte's offset in the block for each word. */
static const ROM uint8_t sigma[160] = {
    0,  4,  8,  12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 56, 40, 16, 32, 36, 60, 52,
    24, 4,  48, 0,  8,  44, 28, 20, 12, 44, 32, 48, 0,  20, 8,  60, 52, 40, 56, 12, 24, 28, 4,
    36, 16, 28, 36, 12, 4,  52, 48, 44, 56, 8,  24, 20, 40, 16, 0,  60, 32, 36, 0,  20, 28, 8,
    16, 40, 60, 56, 4,  44, 48, 24, 32, 12, 52, 8,  48, 24, 40, 0,  44, 32, 12, 16, 52, 28, 20,
    60, 56, 4,  36, 48, 20, 4,  60, 56, 52, 16, 40, 0,  28, 24, 12, 36, 8,  32, 44, 52, 44, 28,
    56, 48, 4,  12, 36, 20, 0,  60, 16, 32, 24, 8,  40, 24, 60, 56, 36, 44, 12, 0,  32, 48, 8,
    52, 28, 4,  16, 40, 20, 40, 8,  32, 16, 28, 24, 4,  20, 60, 44, 36, 56, 12, 48, 52, 0};

/* RFC 7693, section 3.1. */
#define MIX(a, b, c, d, i)                                                                         \
    do {                                                                                           \
        uint32_t va = v[a] + v[b] + load32_le(ctx->block + order[2 * (i)]);                        \
        uint32_t vd = v[d] ^ va;                                                                   \
        vd = rotl32(vd, 16);                                                                       \
        uint32_t vc = v[c] + vd;                                                                   \
        uint32_t vb = v[b] ^ vc;                                                                   \
        vb = rotl32(vb, 20);                                                                       \
        va += vb + load32_le(ctx->block + order[2 * (i) + 1]);                                     \
        v[a] = va;                                                                                 \
        vd ^= va;                                                                                  \
        vd = rotl32(vd, 24);                                                                       \
        v[d] = vd;                                                                                 \
        vc += vd;                                                                                  \
        v[c] = vc;                                                                                 \
        vb ^= vc;                                                                                  \
        v[b] = rotl32(vb, 25);                                                                     \
    } while (0)

/* RFC 7693, section 3.2. */
void blake2s_compress(hash_context *ctx, uint8_t length, uint32_t final) {
    uint32_t v[16];

    for (uint8_t i = 0; i < 8; i++) {
        v[i] = ctx->state[i];
    }
    blake2s_initial(v + 8);
    ctx->bytes_low += length;
    if (ctx->bytes_low < length) {
        ctx->bytes_high++;
    }
    v[12] ^= ctx->bytes_low;
    v[13] ^= ctx->bytes_high;
    v[14] ^= final;
    for (uint8_t i = 0; i < 160; i = (uint8_t)(i + 16)) {
        const ROM uint8_t *order = sigma + i;
        MIX(0, 4, 8, 12, 0);
        MIX(1, 5, 9, 13, 1);
        MIX(2, 6, 10, 14, 2);
        MIX(3, 7, 11, 15, 3);
        MIX(0, 5, 10, 15, 4);
        MIX(1, 6, 11, 12, 5);
        MIX(2, 7, 8, 13, 6);
        MIX(3, 4, 9, 14, 7);
    }
    for (uint8_t i = 0; i < 8; i++) {
        ctx->state[i] ^= v[i] ^ v[i + 8];
    }
}
