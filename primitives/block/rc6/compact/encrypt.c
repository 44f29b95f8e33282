#include "block.h"

#include "bytes.h"
#include "rc6.h"

/* Paper, encryption. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *s = ctx->round_keys;
    uint32_t a = load32_le(in);
    uint32_t b = load32_le(in + 4) + *s++;
    uint32_t c = load32_le(in + 8);
    uint32_t d = load32_le(in + 12) + *s++;

    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        uint32_t t = rc6_quadratic(b);
        uint32_t u = rc6_quadratic(d);
        uint32_t first = rc6_rotate(a ^ t, (uint8_t)u) + *s++;
        a = b;
        b = rc6_rotate(c ^ u, (uint8_t)t) + *s++;
        c = d;
        d = first;
    }
    store32_le(out, a + *s++);
    store32_le(out + 4, b);
    store32_le(out + 8, c + *s);
    store32_le(out + 12, d);
}
