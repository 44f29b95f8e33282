#include "block.h"

#include "bytes.h"
#include "quadratic.h"

/* Paper, encryption, one round; the exchange of the words is left to the caller. */
ALWAYS_INLINE void mix(uint32_t *a, uint32_t b, uint32_t *c, uint32_t d, const uint32_t *s) {
    uint32_t t = rc6_quadratic(b);
    uint32_t u = rc6_quadratic(d);

    *a = rotl32_variable(*a ^ t, (uint8_t)u) + s[0];
    *c = rotl32_variable(*c ^ u, (uint8_t)t) + s[1];
}

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *s = ctx->round_keys;
    uint32_t a = load32_le(in);
    uint32_t b = load32_le(in + 4) + s[0];
    uint32_t c = load32_le(in + 8);
    uint32_t d = load32_le(in + 12) + s[1];

    s += 2;
    for (uint8_t fours = PRIMITIVE_ROUNDS / 4; fours > 0; fours--) {
        mix(&a, b, &c, d, s);
        mix(&b, c, &d, a, s + 2);
        mix(&c, d, &a, b, s + 4);
        mix(&d, a, &b, c, s + 6);
        s += 8;
    }
    store32_le(out, a + s[0]);
    store32_le(out + 4, b);
    store32_le(out + 8, c + s[1]);
    store32_le(out + 12, d);
}
