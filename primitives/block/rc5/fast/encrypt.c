#include "block.h"

#include "bytes.h"
#include "rotate.h"

/* RFC 2040, section 6. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *s = ctx->table;
    uint32_t a = load32_le(in) + *s++;
    uint32_t b = load32_le(in + 4) + *s++;

    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        a = rotl32_variable(a ^ b, (uint8_t)b) + *s++;
        b = rotl32_variable(b ^ a, (uint8_t)a) + *s++;
    }
    store32_le(out, a);
    store32_le(out + 4, b);
}
