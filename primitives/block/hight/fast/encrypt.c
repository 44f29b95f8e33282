#include "block.h"

#include "hight.h"

/* HIGHT paper, sections 2.3 to 2.5. The bytes move one place each round, so eight rounds bring
 * them home. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint8_t *k = ctx->subkeys;
    const uint8_t *w = ctx->whitening;
    uint8_t x0 = (uint8_t)(in[0] + w[0]);
    uint8_t x1 = in[1];
    uint8_t x2 = in[2] ^ w[1];
    uint8_t x3 = in[3];
    uint8_t x4 = (uint8_t)(in[4] + w[2]);
    uint8_t x5 = in[5];
    uint8_t x6 = in[6] ^ w[3];
    uint8_t x7 = in[7];

    for (uint8_t eights = PRIMITIVE_ROUNDS / 8; eights > 0; eights--) {
#define ROUND(a, b, c, d, e, f, g, h)                                                              \
    b = (uint8_t)(b + (hight_f1[a] ^ k[0]));                                                       \
    d = (uint8_t)(d ^ (uint8_t)(hight_f0[c] + k[1]));                                              \
    f = (uint8_t)(f + (hight_f1[e] ^ k[2]));                                                       \
    h = (uint8_t)(h ^ (uint8_t)(hight_f0[g] + k[3]));                                              \
    k += 4;
        ROUND(x0, x1, x2, x3, x4, x5, x6, x7)
        ROUND(x7, x0, x1, x2, x3, x4, x5, x6)
        ROUND(x6, x7, x0, x1, x2, x3, x4, x5)
        ROUND(x5, x6, x7, x0, x1, x2, x3, x4)
        ROUND(x4, x5, x6, x7, x0, x1, x2, x3)
        ROUND(x3, x4, x5, x6, x7, x0, x1, x2)
        ROUND(x2, x3, x4, x5, x6, x7, x0, x1)
        ROUND(x1, x2, x3, x4, x5, x6, x7, x0)
#undef ROUND
    }
    out[0] = (uint8_t)(x1 + w[4]);
    out[1] = x2;
    out[2] = x3 ^ w[5];
    out[3] = x4;
    out[4] = (uint8_t)(x5 + w[6]);
    out[5] = x6;
    out[6] = x7 ^ w[7];
    out[7] = x0;
}
