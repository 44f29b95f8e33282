#include "block.h"

#include "aes.h"

/* FIPS 197, section 5.2, KeyExpansion. */
void block_init(block_context *ctx, const uint8_t *key) {
    const uint8_t *sbox = ctx->sbox;
    uint8_t *w = ctx->round_keys;
    const uint8_t *end = ctx->round_keys + sizeof ctx->round_keys;
    uint8_t rcon = 1;
    uint8_t position = 0;

    aes_make_sbox(ctx, 0);
    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        *w++ = key[i];
    }
    while (w != end) {
        uint8_t t0 = w[-4];
        uint8_t t1 = w[-3];
        uint8_t t2 = w[-2];
        uint8_t t3 = w[-1];
        if (position == 0) {
            uint8_t first = t0;
            t0 = sbox[t1] ^ rcon;
            t1 = sbox[t2];
            t2 = sbox[t3];
            t3 = sbox[first];
            rcon = xtime(rcon);
        }
#if PRIMITIVE_KEY_BYTES > 24
        if (position == 16) {
            t0 = sbox[t0];
            t1 = sbox[t1];
            t2 = sbox[t2];
            t3 = sbox[t3];
        }
#endif
        w[0] = t0 ^ w[-PRIMITIVE_KEY_BYTES];
        w[1] = t1 ^ w[1 - PRIMITIVE_KEY_BYTES];
        w[2] = t2 ^ w[2 - PRIMITIVE_KEY_BYTES];
        w[3] = t3 ^ w[3 - PRIMITIVE_KEY_BYTES];
        w += 4;
        position = position == PRIMITIVE_KEY_BYTES - 4 ? 0 : (uint8_t)(position + 4);
    }
}
