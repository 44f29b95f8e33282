#include "block.h"

#include "multiply.h"

#define INVERSES (2 * (PRIMITIVE_ROUNDS + 1))

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

/* All multiplicative subkeys inverted at the price of one inversion and three products each: the
 * inverse of the product of all of them, multiplied by the product of those before, is the inverse
 * of the last. */
static void invert_all(uint16_t *subkeys) {
    uint16_t products[INVERSES];
    uint16_t product = 1;
    uint8_t at = 0;

    for (uint8_t i = 0; i < INVERSES; i++) {
        products[i] = product;
        product = idea_multiply(product, subkeys[at]);
        at = (uint8_t)(at + 3);
    }
    product = inverse(product);
    for (uint8_t i = INVERSES; i-- > 0;) {
        at = (uint8_t)(at - 3);
        uint16_t subkey = subkeys[at];
        subkeys[at] = idea_multiply(product, products[i]);
        product = idea_multiply(product, subkey);
    }
}

static void swap(uint16_t *a, uint16_t *b) {
    uint16_t t = *a;
    *a = *b;
    *b = t;
}

/* The decryption subkeys: those of encryption from last to first, the first and fourth of a round
 * inverted for multiplication, the second and third for addition and, inside, exchanged
 * (decryption's rounds meet them after the exchange of the middle words). */
void block_init_decrypt(block_context *ctx, const uint8_t *key) {
    uint16_t *first = ctx->subkeys;
    uint16_t *last = ctx->subkeys + IDEA_SUBKEYS - 4;

    block_init(ctx, key);
    invert_all(first);
    for (uint8_t i = 1; i < IDEA_SUBKEYS; i = (uint8_t)(i + 6)) {
        first[i] = (uint16_t)-first[i];
        first[i + 1] = (uint16_t)-first[i + 1];
    }
    swap(&first[1], &first[2]);
    swap(&last[1], &last[2]);
    while (first < last) {
        swap(&first[0], &last[0]);
        swap(&first[1], &last[2]);
        swap(&first[2], &last[1]);
        swap(&first[3], &last[3]);
        swap(&first[4], &last[-2]);
        swap(&first[5], &last[-1]);
        first += 6;
        last -= 6;
    }
    swap(&first[1], &first[2]);
}
