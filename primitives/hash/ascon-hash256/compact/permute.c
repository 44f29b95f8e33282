#include "hash.h"

#include "ascon.h"
#include "rom.h"

/* NIST SP 800-232, section 3.4, as rotations to the left. */
static const ROM uint8_t turns[5][2] = {{45, 36}, {3, 25}, {63, 58}, {54, 47}, {57, 23}};

/* x rotated left by n, by whole bytes and then single bits. */
static uint64_t rotl(uint64_t x, uint8_t n) {
    for (; n >= 8; n = (uint8_t)(n - 8)) {
        x = x << 8 | x >> 56;
    }
    for (; n > 0; n--) {
        x = x << 1 | x >> 63;
    }
    return x;
}

/* The S-box on the eight columns of one byte of each word, NIST SP 800-232, section 3.3. */
static void substitute(uint8_t *x) {
    uint8_t x0 = x[0];
    uint8_t x1 = x[8];
    uint8_t x2 = x[16];
    uint8_t x3 = x[24];
    uint8_t x4 = x[32];

    x0 ^= x4;
    x4 ^= x3;
    x2 ^= x1;
    uint8_t t0 = (uint8_t)(x0 ^ (~x1 & x2));
    uint8_t t1 = (uint8_t)(x1 ^ (~x2 & x3));
    uint8_t t2 = (uint8_t)(x2 ^ (~x3 & x4));
    uint8_t t3 = (uint8_t)(x3 ^ (~x4 & x0));
    uint8_t t4 = (uint8_t)(x4 ^ (~x0 & x1));
    x[0] = t0 ^ t4;
    x[8] = t1 ^ t0;
    x[16] = (uint8_t)~t2;
    x[24] = t3 ^ t2;
    x[32] = t4;
}

/* NIST SP 800-232, sections 3.2 to 3.4; the constant goes from f0 to 4b in steps of 0f. */
void ascon_permute(uint64_t *words) {
    for (uint8_t constant = 0xf0; constant != 0x3c; constant = (uint8_t)(constant - 0x0f)) {
        words[2] ^= constant;
        for (uint8_t i = 0; i < 8; i++) {
            substitute((uint8_t *)words + i);
        }
        for (uint8_t i = 0; i < 5; i++) {
            uint64_t x = words[i];
            words[i] = x ^ rotl(x, turns[i][0]) ^ rotl(x, turns[i][1]);
        }
    }
}
