#include "block.h"

#include "idea.h"
#include "multiply.h"

/* x^65535 = 1/x modulo the prime 65537, by x^(2^(2k) - 1) = (x^(2^k - 1))^(2^k) * x^(2^k - 1). */
static uint16_t inverse(uint16_t x) {
    for (uint8_t bits = 1; bits < 16; bits = (uint8_t)(2 * bits)) {
        uint16_t power = x;
        for (uint8_t i = bits; i > 0; i--) {
            power = idea_multiply(power, power);
        }
        x = idea_multiply(power, x);
    }
    return x;
}

/* The subkeys of a decryption round are the first four of the round that it undoes, inverted, and
 * the last two of the round before; those of addition change places but at either end. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint16_t x[4];
    uint16_t k[6];

    idea_load(x, in);
    for (uint8_t left = PRIMITIVE_ROUNDS;; left--) {
        idea_subkeys(k, ctx, (uint8_t)(6 * left), 4);
        k[0] = inverse(k[0]);
        k[3] = inverse(k[3]);
        uint16_t second = (uint16_t)-k[1];
        uint16_t third = (uint16_t)-k[2];
        uint8_t straight = left == 0 || left == PRIMITIVE_ROUNDS;
        k[1] = straight ? second : third;
        k[2] = straight ? third : second;
        if (left == 0) {
            break;
        }
        idea_subkeys(k + 4, ctx, (uint8_t)(6 * left - 2), 2);
        idea_round(x, k);
    }
    idea_output(x, k);
    idea_store(out, x);
}
