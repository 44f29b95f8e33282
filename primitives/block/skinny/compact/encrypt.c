#include "block.h"

#include "tweakey.h"

/* SKINNY v1.1, section 2.3, SubCells. */
#if SKINNY_NIBBLES
static const ROM uint8_t sbox[16] = {0xC, 0x6, 0x9, 0x0, 0x1, 0xA, 0x2, 0xB,
                                     0x3, 0x8, 0x5, 0xD, 0x4, 0xE, 0x7, 0xF};
#define SUBSTITUTE(x) sbox[x]
#else
#define SUBSTITUTE(x) substitute(x)

static uint8_t substitute(uint8_t x) {
    for (uint8_t i = 3;; i--) {
        x = (uint8_t)(x ^ (~(x >> 3 | x >> 2) & 0x11));
        if (i == 0) {
            return (uint8_t)((x & 0xF9) | (x << 1 & 4) | (x >> 1 & 2));
        }
        x = (uint8_t)((x << 5 & 0xC0) | (x >> 2 & 0x32) | (x >> 1 & 8) | (x << 2 & 4) |
                      (x >> 5 & 1));
    }
}
#endif

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    skinny_tweakey t;
    uint8_t s[16];
    uint8_t n[16];

    skinny_start(&t, ctx);
    skinny_load(s, in);
    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        for (uint8_t i = 0; i < 16; i++) {
            s[i] = SUBSTITUTE(s[i]);
        }
        skinny_add(s, &t);
        skinny_next(&t);
        for (uint8_t i = 0; i < 16; i++) {
            n[i] = s[(i & 12) | ((i - (i >> 2)) & 3)];
        }
        for (uint8_t i = 0; i < 4; i++) {
            s[i + 4] = n[i];
            s[i + 8] = n[i + 4] ^ n[i + 8];
            s[i + 12] = n[i] ^ n[i + 8];
            s[i] = s[i + 12] ^ n[i + 12];
        }
    }
    skinny_store(out, s);
}
