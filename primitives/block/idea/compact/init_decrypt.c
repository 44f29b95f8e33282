#include "block.h"

#include "multiply.h"

/* x^65535 = 1/x modulo the prime 65537, by squaring and multiplying. */
static uint16_t inverse(uint16_t x) {
    uint16_t power = x;

    for (uint8_t i = 15; i > 0; i--) {
        power = idea_multiply(idea_multiply(power, power), x);
    }
    return power;
}

/* The decryption subkeys: those of encryption from the last round to the first, inverted for
 * multiplication and for addition; the two of addition change places but at either end. */
void block_init_decrypt(block_context *ctx, const uint8_t *key) {
    block_context forward;
    uint16_t *to = ctx->subkeys;
    const uint16_t *from = forward.subkeys + IDEA_SUBKEYS - 4;

    block_init(&forward, key);
    for (uint8_t left = PRIMITIVE_ROUNDS;; left--) {
        uint8_t straight = left == 0 || left == PRIMITIVE_ROUNDS;
        to[0] = inverse(from[0]);
        to[1] = (uint16_t)-from[straight ? 1 : 2];
        to[2] = (uint16_t)-from[straight ? 2 : 1];
        to[3] = inverse(from[3]);
        if (left == 0) {
            return;
        }
        to[4] = from[-2];
        to[5] = from[-1];
        to += 6;
        from -= 6;
    }
}
