#include "twofish.h"

#include "rotate.h"

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

void twofish_make_list(uint8_t *list, const uint8_t *key) {
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

void twofish_make_round_keys(uint32_t *round_keys, const uint8_t *key) {
    uint8_t even[4 * TWOFISH_LIST_WORDS];
    uint8_t odd[4 * TWOFISH_LIST_WORDS];
    uint32_t x = 0;

    for (uint8_t i = 0; i < 4 * TWOFISH_LIST_WORDS; i++) {
        const uint8_t *from = key + (i & 3) + 2 * (i & ~3);
        even[i] = from[0];
        odd[i] = from[4];
    }
    for (uint8_t pairs = 20; pairs > 0; pairs--) {
        uint32_t a = twofish_h(x, even);
        uint32_t b = rotl32(twofish_h(x + UINT32_C(0x01010101), odd), 8);
        x += UINT32_C(0x02020202);
        a += b;
        *round_keys++ = a;
        *round_keys++ = rotl32(a + b, 9);
    }
}
