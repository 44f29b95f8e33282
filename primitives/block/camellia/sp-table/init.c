#include "block.h"

#include "bytes.h"
#include "camellia.h"
#include "plan.h"
#include "rom.h"

/* RFC 3713, Sigma1 to Sigma6. */
static const ROM uint32_t sigma[6][2] = {
    {0xa09e667f, 0x3bcc908b}, {0xb67ae858, 0x4caa73b2}, {0xc6ef372f, 0xe94f82be},
    {0x54ff53a5, 0xf1d36f1c}, {0x10e527fa, 0xde682d1d}, {0xb05688c2, 0xb3e6c1fd},
};

static void add(uint32_t *to, const uint32_t *from) {
    for (uint8_t i = 0; i < 4; i++) {
        to[i] ^= from[i];
    }
}

/* Two Feistel rounds under the constants from number first on. */
static void two_rounds(uint32_t *d, uint8_t first) {
    uint32_t constants[4] = {sigma[first][0], sigma[first][1], sigma[first + 1][0],
                             sigma[first + 1][1]};

    camellia_add_f(d + 2, d, constants);
    camellia_add_f(d, d + 2, constants + 2);
}

/* 32 bits of a 128-bit string from bit on, going round. */
static uint32_t extract(const uint32_t *from, uint8_t bit) {
    uint8_t at = bit / 32 & 3;
    uint32_t word = from[at];
    uint32_t next = from[(at + 1) & 3];

    for (uint8_t shift = bit & 31; shift > 0; shift--) {
        word = word << 1 | next >> 31;
        next <<= 1;
    }
    return word;
}

void block_init(block_context *ctx, const uint8_t *key) {
    uint32_t strings[4][4];

    for (uint8_t i = 0; i < 4; i++) {
        strings[KL][i] = load32_be(key + 4 * i);
        strings[KA][i] = strings[KL][i];
#if PRIMITIVE_KEY_BYTES == 16
        strings[KR][i] = 0;
#elif PRIMITIVE_KEY_BYTES == 24
        strings[KR][i] = load32_be(key + 16 + 4 * (i & 1)) ^ (i < 2 ? 0 : UINT32_C(0xFFFFFFFF));
#else
        strings[KR][i] = load32_be(key + 16 + 4 * i);
#endif
    }
    add(strings[KA], strings[KR]);
    two_rounds(strings[KA], 0);
    add(strings[KA], strings[KL]);
    two_rounds(strings[KA], 2);
#if PRIMITIVE_KEY_BYTES > 16
    for (uint8_t i = 0; i < 4; i++) {
        strings[KB][i] = strings[KA][i];
    }
    add(strings[KB], strings[KR]);
    two_rounds(strings[KB], 4);
#endif
    for (uint8_t i = 0; i < CAMELLIA_SUBKEYS; i++) {
        const uint32_t *from = strings[plan[i][0]];
        ctx->subkeys[2 * i] = extract(from, plan[i][1]);
        ctx->subkeys[2 * i + 1] = extract(from, (uint8_t)(plan[i][1] + 32));
    }
}
