#include "block.h"

#include "bytes.h"
#include "cast.h"

/* RFC 2144, section 2. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    block_context states = *ctx;
    uint32_t left = load32_be(in);
    uint32_t right = load32_be(in + 4);

    for (uint8_t round = 0; round < PRIMITIVE_ROUNDS; round++) {
        if ((round & 3) == 0) {
            cast_renew(states.states[0], round / 4);
            cast_renew(states.states[1], round / 4);
        }
        uint32_t t = left ^ cast_f(right, &states, round);
        left = right;
        right = t;
    }
    store32_be(out, right);
    store32_be(out + 4, left);
}
