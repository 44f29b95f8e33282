#include "block.h"

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
static const ROM uint8_t sigma[6][8] = {
    {0xa0, 0x9e, 0x66, 0x7f, 0x3b, 0xcc, 0x90, 0x8b},
    {0xb6, 0x7a, 0xe8, 0x58, 0x4c, 0xaa, 0x73, 0xb2},
    {0xc6, 0xef, 0x37, 0x2f, 0xe9, 0x4f, 0x82, 0xbe},
    {0x54, 0xff, 0x53, 0xa5, 0xf1, 0xd3, 0x6f, 0x1c},
    {0x10, 0xe5, 0x27, 0xfa, 0xde, 0x68, 0x2d, 0x1d},
    {0xb0, 0x56, 0x88, 0xc2, 0xb3, 0xe6, 0xc1, 0xfd},
};

static void add(uint8_t *to, const uint8_t *from) {
    for (uint8_t i = 0; i < 16; i++) {
        to[i] ^= from[i];
    }
}

/* Two Feistel rounds under the constants from number first on. */
static void two_rounds(uint8_t *d, uint8_t first) {
    uint8_t constant[8];

    for (uint8_t round = 0; round < 2; round++) {
        for (uint8_t i = 0; i < 8; i++) {
            constant[i] = sigma[first + round][i];
        }
        camellia_add_f(d + (round ? 0 : 8), d + (round ? 8 : 0), constant);
    }
}

/* The 64 bits of a 128-bit string from bit on, going round. */
static void extract(uint8_t *to, const uint8_t *from, uint8_t bit) {
    uint8_t at = bit / 8;
    uint8_t shift = bit & 7;

    for (uint8_t i = 0; i < 8; i++) {
        uint16_t pair = (uint16_t)((uint16_t)from[at] << 8);
        at = (uint8_t)(at + 1) & 15;
        pair |= from[at];
        to[i] = (uint8_t)(pair >> (8 - shift));
    }
}

void block_init(block_context *ctx, const uint8_t *key) {
    uint8_t strings[4][16];

    for (uint8_t i = 0; i < 16; i++) {
        strings[KL][i] = key[i];
        strings[KA][i] = key[i];
#if PRIMITIVE_KEY_BYTES == 16
        strings[KR][i] = 0;
#elif PRIMITIVE_KEY_BYTES == 24
        strings[KR][i] = i < 8 ? key[16 + i] : (uint8_t)~key[8 + i];
#else
        strings[KR][i] = key[16 + i];
#endif
    }
    add(strings[KA], strings[KR]);
    two_rounds(strings[KA], 0);
    add(strings[KA], strings[KL]);
    two_rounds(strings[KA], 2);
#if PRIMITIVE_KEY_BYTES > 16
    for (uint8_t i = 0; i < 16; i++) {
        strings[KB][i] = strings[KA][i];
    }
    add(strings[KB], strings[KR]);
    two_rounds(strings[KB], 4);
#endif
    for (uint8_t i = 0; i < CAMELLIA_SUBKEYS; i++) {
        extract(ctx->subkeys + 8 * i, strings[plan[i][0]], plan[i][1]);
    }
}
