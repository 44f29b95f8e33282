#include "aes.h"

static uint8_t xtime(uint8_t a) {
    return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b);
}

/* FIPS 197, section 5.1.1, equation 5.1: each bit is the sum of itself, of the four bits above it
 * and of a constant's. Written to 16 bits, the byte stands above itself. */
static uint8_t affine(uint8_t a) {
    uint16_t twice = (uint16_t)((uint16_t)a << 8 | a);
    return (uint8_t)(0x63 ^ a ^ twice >> 4 ^ twice >> 5 ^ twice >> 6 ^ twice >> 7);
}

/* The powers of x + 1 are all elements but 0. The table of inverse S-box entries serves as that of
 * powers first; the inverse of a power is the power with the opposite exponent, of 255. */
void aes_make_tables(block_context *ctx) {
    uint8_t *power = ctx->inverse_sbox;
    uint8_t a = 1;

    for (uint8_t i = 0; i < 255; i++) {
        power[i] = a;
        a ^= xtime(a);
    }
    ctx->sbox[0] = 0x63;
    ctx->sbox[1] = affine(1);
    for (uint8_t i = 1; i < 255; i++) {
        ctx->sbox[power[i]] = affine(power[255 - i]);
    }
    for (uint16_t i = 0; i < 256; i++) {
        ctx->inverse_sbox[ctx->sbox[i]] = (uint8_t)i;
    }
}
