#include "block.h"

#include "quadratic.h"
#include "words.h"

/* Paper, decryption, one round; the exchange of the words is left to the caller. */
ALWAYS_INLINE void unmix(uint32_t *a, uint32_t b, uint32_t *c, uint32_t d, const uint32_t *s) {
    uint32_t t = rc6_quadratic(b);
    uint32_t u = rc6_quadratic(d);

    *c = rotr32_variable(*c - s[1], (uint8_t)t) ^ u;
    *a = rotr32_variable(*a - s[0], (uint8_t)u) ^ t;
}

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *s = ctx->round_keys + RC6_ROUND_KEYS - 2;
    uint32_t x[4];

    load128_le(x, in);
    uint32_t a = x[0] - s[0];
    uint32_t b = x[1];
    uint32_t c = x[2] - s[1];
    uint32_t d = x[3];
    for (uint8_t fours = PRIMITIVE_ROUNDS / 4; fours > 0; fours--) {
        s -= 8;
        unmix(&d, a, &b, c, s + 6);
        unmix(&c, d, &a, b, s + 4);
        unmix(&b, c, &d, a, s + 2);
        unmix(&a, b, &c, d, s);
    }
    s -= 2;
    store128_le(out, a, b - s[0], c, d - s[1]);
}
