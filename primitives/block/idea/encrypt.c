#include "block.h"

#include "bytes.h"
#include "multiply.h"

/* The words 2 and 3 change places after every round but the
 * last, which is undone by the order in which the output transformation takes them. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint16_t *k = ctx->subkeys;
    uint16_t x1 = load16_be(in);
    uint16_t x2 = load16_be(in + 2);
    uint16_t x3 = load16_be(in + 4);
    uint16_t x4 = load16_be(in + 6);

    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        x1 = idea_multiply(x1, k[0]);
        x2 = (uint16_t)(x2 + k[1]);
        x3 = (uint16_t)(x3 + k[2]);
        x4 = idea_multiply(x4, k[3]);
        uint16_t t = idea_multiply(x1 ^ x3, k[4]);
        uint16_t u = idea_multiply((uint16_t)(t + (x2 ^ x4)), k[5]);
        t = (uint16_t)(t + u);
        x1 ^= u;
        x4 ^= t;
        t ^= x2;
        x2 = x3 ^ u;
        x3 = t;
        k += 6;
    }
    store16_be(out, idea_multiply(x1, k[0]));
    store16_be(out + 2, (uint16_t)(x3 + k[1]));
    store16_be(out + 4, (uint16_t)(x2 + k[2]));
    store16_be(out + 6, idea_multiply(x4, k[3]));
}
