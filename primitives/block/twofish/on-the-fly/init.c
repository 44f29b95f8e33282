#include "block.h"

#include "twofish.h"

/* Specification, key schedule: eight key bytes times the matrix RS are the remainder of a
 * polynomial of degree 11 by x^4 + (w + 1/w) x^3 + w x^2 + (w + 1/w) x + 1, taken from the highest
 * byte on, where w is a root of x^8 + x^6 + x^3 + x^2 + 1. */
static void divide_step(uint8_t *remainder, uint8_t byte) {
    uint8_t top = remainder[3] ^ byte;
    uint8_t twice = (uint8_t)((uint8_t)(top << 1) ^ (0x4d & (0u - (top >> 7))));
    uint8_t both = (uint8_t)(twice ^ (top >> 1) ^ (0xa6 & (0u - (top & 1u))));

    remainder[3] = remainder[2] ^ both;
    remainder[2] = remainder[1] ^ twice;
    remainder[1] = remainder[0] ^ both;
    remainder[0] = top;
}

static void make_list(uint8_t *list, const uint8_t *key) {
    for (uint8_t word = 0; word < TWOFISH_LIST_WORDS; word++) {
        uint8_t *remainder = list + 4 * (TWOFISH_LIST_WORDS - 1 - word);
        for (uint8_t i = 0; i < 4; i++) {
            remainder[i] = 0;
        }
        for (uint8_t i = 8; i > 0; i--) {
            divide_step(remainder, key[8 * word + i - 1]);
        }
    }
}

void block_init(block_context *ctx, const uint8_t *key) {
    make_list(ctx->list, key);
    for (uint8_t i = 0; i < 4 * TWOFISH_LIST_WORDS; i++) {
        const uint8_t *from = key + (i & 3) + 2 * (i & ~3);
        ctx->even[i] = from[0];
        ctx->odd[i] = from[4];
    }
}
