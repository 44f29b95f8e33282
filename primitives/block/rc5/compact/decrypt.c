#include "block.h"

#include "bytes.h"
#include "rc5.h"

/* RFC 2040, section 6, in half rounds before which the words change places; where a pass has
 * several, they change names instead. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *s = ctx->table + RC5_TABLE_WORDS;
    uint32_t a = load32_le(in);
    uint32_t b = load32_le(in + 4);

#define UNHALF(a, b) b = rc5_rotate(b - *--s, (uint8_t)-a) ^ a;
    for (uint8_t passes = 2 * PRIMITIVE_ROUNDS / HALVES_PER_PASS; passes > 0; passes--) {
#if HALVES_PER_PASS == 1
        uint32_t t = rc5_rotate(b - *--s, (uint8_t)-a) ^ a;
        b = a;
        a = t;
#else
        UNHALF(a, b)
        UNHALF(b, a)
#if HALVES_PER_PASS == 4
        UNHALF(a, b)
        UNHALF(b, a)
#endif
#endif
    }
#undef UNHALF
    store32_le(out + 4, b - *--s);
    store32_le(out, a - *--s);
}
