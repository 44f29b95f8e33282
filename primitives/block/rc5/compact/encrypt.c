#include "block.h"

#include "bytes.h"
#include "rc5.h"

/* RFC 2040, section 6, in half rounds after which the words change places. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *s = ctx->table;
    uint32_t a = load32_le(in) + *s++;
    uint32_t b = load32_le(in + 4) + *s++;

    for (uint8_t halves = 2 * PRIMITIVE_ROUNDS; halves > 0; halves--) {
        uint32_t t = rc5_rotate(a ^ b, (uint8_t)b) + *s++;
        a = b;
        b = t;
    }
    store32_le(out, a);
    store32_le(out + 4, b);
}
