#include "aead.h"

#include <string.h>

/* Times x, in the reflected order of bits of SP 800-38D, section 6.3. */
static void times_x(uint8_t *v) {
    uint8_t carry = 0;

    for (uint8_t i = 0; i < 16; i++) {
        uint8_t byte = v[i];
        v[i] = (uint8_t)(byte >> 1 | carry);
        carry = (uint8_t)(byte << 7);
    }
    if (carry != 0) {
        v[0] ^= 0xE1;
    }
}

/* Each power of x times the hash key is made in a place of its own and copied: made from one row of
 * the table into another, GCC 5.4 for AVR took wrong addresses with -O3. */
void aead_init(aead_context *ctx, const uint8_t *key) {
    uint8_t v[16];

    block_init(&ctx->cipher, key);
    memset(ctx->multiples[0], 0, 16);
    memset(v, 0, 16);
    block_encrypt(&ctx->cipher, v, v);
    for (uint8_t n = 8; n > 0; n >>= 1) {
        memcpy(ctx->multiples[n], v, 16);
        times_x(v);
    }
    for (uint8_t n = 2; n < 16; n = (uint8_t)(n << 1)) {
        for (uint8_t low = 1; low < n; low++) {
            for (uint8_t i = 0; i < 16; i++) {
                ctx->multiples[n + low][i] = ctx->multiples[n][i] ^ ctx->multiples[low][i];
            }
        }
    }
}
