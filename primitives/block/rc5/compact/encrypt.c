#include "block.h"

#include "bytes.h"
#include "rc5.h"

/* RFC 2040, section 6, in half rounds after which the words change places; where a pass has
 * several, they change names instead. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *s = ctx->table;
    uint32_t a = load32_le(in) + *s++;
    uint32_t b = load32_le(in + 4) + *s++;

#define HALF(a, b) a = rc5_rotate(a ^ b, (uint8_t)b) + *s++;
    for (uint8_t passes = 2 * PRIMITIVE_ROUNDS / HALVES_PER_PASS; passes > 0; passes--) {
#if HALVES_PER_PASS == 1
        uint32_t t = rc5_rotate(a ^ b, (uint8_t)b) + *s++;
        a = b;
        b = t;
#else
        HALF(a, b)
        HALF(b, a)
#if HALVES_PER_PASS == 4
        HALF(a, b)
        HALF(b, a)
#endif
#endif
    }
#undef HALF
    store32_le(out, a);
    store32_le(out + 4, b);
}
