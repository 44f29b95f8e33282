#include "block.h"

#include "bytes.h"
#include "rotate.h"

/* RFC 2040, section 6. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *s = ctx->table + RC5_TABLE_WORDS;
    uint32_t a = load32_le(in);
    uint32_t b = load32_le(in + 4);

    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        b = rotr32_variable(b - *--s, (uint8_t)a) ^ a;
        a = rotr32_variable(a - *--s, (uint8_t)b) ^ b;
    }
    b -= *--s;
    a -= *--s;
    store32_le(out, a);
    store32_le(out + 4, b);
}
