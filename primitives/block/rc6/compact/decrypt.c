#include "block.h"

#include "bytes.h"
#include "rc6.h"

/* Paper, decryption. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *s = ctx->round_keys + RC6_ROUND_KEYS;
    uint32_t c = load32_le(in + 8) - *--s;
    uint32_t a = load32_le(in) - *--s;
    uint32_t b = load32_le(in + 4);
    uint32_t d = load32_le(in + 12);

    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        uint32_t t = rc6_quadratic(a);
        uint32_t u = rc6_quadratic(c);
        uint32_t first = d;
        d = c;
        c = rc6_rotate(b - *--s, (uint8_t)-t) ^ u;
        b = a;
        a = rc6_rotate(first - *--s, (uint8_t)-u) ^ t;
    }
    store32_le(out + 12, d - *--s);
    store32_le(out + 4, b - *--s);
    store32_le(out, a);
    store32_le(out + 8, c);
}
