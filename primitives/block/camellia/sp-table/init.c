#include "block.h"

#include "bytes.h"
#include "camellia.h"
#include "rom.h"

/* Where the subkeys come from (RFC 3713, key schedule): the 128-bit string and the bit at which 64
 * bits of its rotation begin, in the order of encryption with each FL layer's two in their place.
 */
enum { KL, KA, KR, KB };
static const ROM uint8_t plan[CAMELLIA_SUBKEYS][2] = {
#if PRIMITIVE_KEY_BYTES == 16
    {KL, 0},  {KL, 64}, {KA, 0},   {KA, 64}, {KL, 15},  {KL, 79}, {KA, 15},  {KA, 79}, {KA, 30},
    {KA, 94}, {KL, 45}, {KL, 109}, {KA, 45}, {KL, 124}, {KA, 60}, {KA, 124}, {KL, 77}, {KL, 13},
    {KL, 94}, {KL, 30}, {KA, 94},  {KA, 30}, {KL, 111}, {KL, 47}, {KA, 111}, {KA, 47},
#else
    {KL, 0},  {KL, 64},  {KB, 0},  {KB, 64},  {KR, 15},  {KR, 79},  {KA, 15},  {KA, 79}, {KR, 30},
    {KR, 94}, {KB, 30},  {KB, 94}, {KL, 45},  {KL, 109}, {KA, 45},  {KA, 109}, {KL, 60}, {KL, 124},
    {KR, 60}, {KR, 124}, {KB, 60}, {KB, 124}, {KL, 77},  {KL, 13},  {KA, 77},  {KA, 13}, {KR, 94},
    {KR, 30}, {KA, 94},  {KA, 30}, {KL, 111}, {KL, 47},  {KB, 111}, {KB, 47},
#endif
};

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
