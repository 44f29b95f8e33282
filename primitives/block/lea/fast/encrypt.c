#include "block.h"

#include "bytes.h"
#include "rotate.h"
#include "round_key.h"

/* LEA paper, section 2.4: the words of the state move one place each round, so four rounds bring
 * them home. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *k = ctx->round_keys;
    uint32_t a = load32_le(in);
    uint32_t b = load32_le(in + 4);
    uint32_t c = load32_le(in + 8);
    uint32_t d = load32_le(in + 12);

    for (uint8_t quads = PRIMITIVE_ROUNDS / 4; quads > 0; quads--) {
#define ROUND(w, x, y, z)                                                                          \
    z = rotl32((y ^ k[LEA_RK4]) + (z ^ k[LEA_RK5]), 29);                                           \
    y = rotl32((x ^ k[2]) + (y ^ k[LEA_RK3]), 27);                                                 \
    x = rotl32((w ^ k[0]) + (x ^ k[LEA_RK1]), 9);                                                  \
    k += LEA_ROUND_WORDS;
        ROUND(a, b, c, d)
        ROUND(b, c, d, a)
        ROUND(c, d, a, b)
        ROUND(d, a, b, c)
#undef ROUND
    }
    store32_le(out, a);
    store32_le(out + 4, b);
    store32_le(out + 8, c);
    store32_le(out + 12, d);
}
