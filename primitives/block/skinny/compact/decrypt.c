#include "block.h"

#include "tweakey.h"

/* The inverse of SubCells. */
#if SKINNY_NIBBLES
static const ROM uint8_t inverse[16] = {0x3, 0x4, 0x6, 0x8, 0xC, 0xA, 0x1, 0xE,
                                        0x9, 0x2, 0x5, 0x7, 0x0, 0xB, 0xD, 0xF};
#define SUBSTITUTE(x) inverse[x]
#else
#define SUBSTITUTE(x) substitute(x)

static uint8_t substitute(uint8_t x) {
    x = (uint8_t)((x & 0xF9) | (x << 1 & 4) | (x >> 1 & 2));
    for (uint8_t i = 3;; i--) {
        x = (uint8_t)(x ^ (~(x >> 3 | x >> 2) & 0x11));
        if (i == 0) {
            return x;
        }
        x = (uint8_t)((x >> 5 & 6) | (x << 2 & 0xC8) | (x << 1 & 0x10) | (x >> 2 & 1) |
                      (x << 5 & 0x20));
    }
}
#endif

static void back(skinny_tweakey *t) {
    uint8_t *cells = t->cells;
    uint8_t upper[8];

    for (uint8_t n = 0; n < SKINNY_TWEAKEYS; n++) {
        for (uint8_t i = 0; i < 8; i++) {
            upper[i] = cells[i];
            cells[i] = cells[8 + i];
        }
        for (uint8_t i = 0; i < 8; i++) {
            uint8_t x = upper[i];
            cells[skinny_from[i]] = (uint8_t)(n == 0 ? x : x >> 1 | ((x << 3 ^ x) & 8));
        }
        cells += 16;
    }
    t->rc = (uint8_t)(t->rc >> 1 | ((t->rc << 5 ^ t->rc ^ 0x20) & 0x20));
}

/* Runs the key schedule to its end, then back beside the data. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    skinny_tweakey t;
    uint8_t s[16];
    uint8_t n[16];

    skinny_start(&t, ctx);
    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        skinny_next(&t);
    }
    skinny_load(s, in);
    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        for (uint8_t i = 0; i < 4; i++) {
            n[i] = s[i + 4];
            n[i + 8] = s[i + 12] ^ s[i + 4];
            n[i + 4] = s[i + 8] ^ n[i + 8];
            n[i + 12] = s[i] ^ s[i + 12];
        }
        for (uint8_t i = 0; i < 16; i++) {
            s[(i & 12) | ((i - (i >> 2)) & 3)] = n[i];
        }
        back(&t);
        skinny_add(s, &t);
        for (uint8_t i = 0; i < 16; i++) {
            s[i] = SUBSTITUTE(s[i]);
        }
    }
    skinny_store(out, s);
}
