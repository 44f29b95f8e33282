#include "camellia.h"

#include "rom.h"

/* Where the subkeys come from (RFC 3713, key schedule): the string and the bit at which 64 bits of
 * its rotation begin, in the order of encryption with each FL layer's two in their place. */
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

/* Adds the rotated product of the left half and the subkey to the right half. */
static void add_to_right(uint8_t *x, const uint8_t *subkey) {
    for (uint8_t i = 0; i < 4; i++) {
        uint8_t next = (i + 1) & 3;
        x[4 + i] ^= (uint8_t)((x[i] & subkey[i]) << 1 | (x[next] & subkey[next]) >> 7);
    }
}

static void add_to_left(uint8_t *x, const uint8_t *subkey) {
    for (uint8_t i = 0; i < 4; i++) {
        x[i] ^= x[4 + i] | subkey[4 + i];
    }
}

/* Whitening of the halves of d by the subkeys number and number + 1. */
static void whiten(const block_context *ctx, uint8_t *d, uint8_t number) {
    uint8_t subkey[8];

    for (uint8_t half = 0; half < 2; half++) {
        extract(subkey, ctx->strings[plan[number][0]], plan[number][1]);
        for (uint8_t i = 0; i < 8; i++) {
            *d++ ^= subkey[i];
        }
        number++;
    }
}

void camellia_crypt(const block_context *ctx, uint8_t *out, const uint8_t *in, uint8_t backwards) {
    uint8_t d[16];
    uint8_t subkey[8];

    for (uint8_t i = 0; i < 16; i++) {
        d[i] = in[i];
    }
    whiten(ctx, d, backwards ? CAMELLIA_SUBKEYS - 2 : 0);
    for (uint8_t step = 0; step < CAMELLIA_SUBKEYS - 4; step++) {
        uint8_t number = (uint8_t)(backwards ? CAMELLIA_SUBKEYS - 3 - step : 2 + step);
        uint8_t half = step & 1;
        extract(subkey, ctx->strings[plan[number][0]], plan[number][1]);
        /* Six rounds, FL on the left half, its inverse on the right half. */
        if ((step & 7) < 6) {
            camellia_add_f(d + (half ? 0 : 8), d + (half ? 8 : 0), subkey);
        } else if (half) {
            add_to_left(d + 8, subkey);
            add_to_right(d + 8, subkey);
        } else {
            add_to_right(d, subkey);
            add_to_left(d, subkey);
        }
    }
    for (uint8_t i = 0; i < 16; i++) {
        out[i] = d[i ^ 8];
    }
    whiten(ctx, out, backwards ? 0 : CAMELLIA_SUBKEYS - 2);
}
