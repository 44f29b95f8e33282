#include "block.h"

#include "bytes.h"
#include "rc5.h"

/* RFC 2040, section 6, in half rounds before which the words change places. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *s = ctx->table + RC5_TABLE_WORDS;
    uint32_t a = load32_le(in);
    uint32_t b = load32_le(in + 4);

    for (uint8_t halves = 2 * PRIMITIVE_ROUNDS; halves > 0; halves--) {
        uint32_t t = rc5_rotate(b - *--s, (uint8_t)-a) ^ a;
        b = a;
        a = t;
    }
    store32_le(out + 4, b - *--s);
    store32_le(out, a - *--s);
}
