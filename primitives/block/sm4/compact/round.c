#include "sm4.h"

#include "rom.h"

static const ROM uint8_t sbox[256] = {
#define ROW(...) __VA_ARGS__,
#include "sbox.inc"
};

static uint32_t rotate(uint32_t x, uint8_t n) {
    for (; n > 0; n--) {
        x = x << 1 | x >> 31;
    }
    return x;
}

/* The byte substitution tau of the sum of the last three words and k. */
static uint32_t substituted(const uint32_t *x, uint32_t k) {
    uint32_t t = x[1] ^ x[2] ^ x[3] ^ k;

    for (uint8_t i = 4; i > 0; i--) {
        t = t << 8 | sbox[t >> 24];
    }
    return t;
}

static void move(uint32_t *x, uint32_t added) {
    uint32_t first = x[0];

    x[0] = x[1];
    x[1] = x[2];
    x[2] = x[3];
    x[3] = first ^ added;
}

void sm4_round(uint32_t *x, uint32_t k) {
    uint32_t b = substituted(x, k);
    uint32_t b8 = b << 8 | b >> 24;
    uint32_t b16 = b << 16 | b >> 16;

    move(x, b ^ (b << 24 | b >> 8) ^ rotate(b ^ b8 ^ b16, 2));
}

/* Specification, key expansion. Byte j of CK[i] is 7 (4i + j). */
void sm4_key_round(uint32_t *window, uint8_t number) {
    uint32_t ck = 0;
    uint8_t byte = (uint8_t)(28 * number);

    for (uint8_t i = 4; i > 0; i--) {
        ck = ck << 8 | byte;
        byte = (uint8_t)(byte + 7);
    }
    uint32_t b = substituted(window, ck);
    move(window, b ^ rotate(b ^ rotate(b, 10), 13));
}
