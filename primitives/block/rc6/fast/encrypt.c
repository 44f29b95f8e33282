#include "block.h"

#include "quadratic.h"
#include "words.h"

/* Paper, encryption, one round; the exchange of the words is left to the caller. */
ALWAYS_INLINE void mix(uint32_t *a, uint32_t b, uint32_t *c, uint32_t d, const uint32_t *s) {
    uint32_t t = rc6_quadratic(b);
    uint32_t u = rc6_quadratic(d);

    *a = rotl32_variable(*a ^ t, (uint8_t)u) + s[0];
    *c = rotl32_variable(*c ^ u, (uint8_t)t) + s[1];
}

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *s = ctx->round_keys;
    uint32_t x[4];

    load128_le(x, in);
    uint32_t a = x[0];
    uint32_t b = x[1] + s[0];
    uint32_t c = x[2];
    uint32_t d = x[3] + s[1];
    s += 2;
    for (uint8_t fours = PRIMITIVE_ROUNDS / 4; fours > 0; fours--) {
        mix(&a, b, &c, d, s);
        mix(&b, c, &d, a, s + 2);
        mix(&c, d, &a, b, s + 4);
        mix(&d, a, &b, c, s + 6);
        s += 8;
    }
    store128_le(out, a + s[0], b, c + s[1], d);
}
