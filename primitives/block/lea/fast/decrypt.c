#include "block.h"

#include "bytes.h"
#include "rotate.h"
#include "round_key.h"

/* LEA paper, section 2.5. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *k = ctx->round_keys + PRIMITIVE_ROUNDS * LEA_ROUND_WORDS;
    uint32_t a = load32_le(in);
    uint32_t b = load32_le(in + 4);
    uint32_t c = load32_le(in + 8);
    uint32_t d = load32_le(in + 12);

    for (uint8_t quads = PRIMITIVE_ROUNDS / 4; quads > 0; quads--) {
#define ROUND(w, x, y, z)                                                                          \
    k -= LEA_ROUND_WORDS;                                                                          \
    x = (rotl32(x, 23) - (w ^ k[0])) ^ k[LEA_RK1];                                                 \
    y = (rotl32(y, 5) - (x ^ k[2])) ^ k[LEA_RK3];                                                  \
    z = (rotl32(z, 3) - (y ^ k[LEA_RK4])) ^ k[LEA_RK5];
        ROUND(d, a, b, c)
        ROUND(c, d, a, b)
        ROUND(b, c, d, a)
        ROUND(a, b, c, d)
#undef ROUND
    }
    store32_le(out, a);
    store32_le(out + 4, b);
    store32_le(out + 8, c);
    store32_le(out + 12, d);
}
