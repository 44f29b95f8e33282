#include "block.h"

#include "aes.h"

/* FIPS 197, section 5.2, KeyExpansion; t is the word before. */
void block_init(block_context *ctx, const uint8_t *key) {
    const uint8_t *sbox = ctx->sbox;
    uint8_t *w = ctx->round_keys;
    const uint8_t *key_earlier = ctx->round_keys;
    const uint8_t *end = ctx->round_keys + sizeof ctx->round_keys;
    uint8_t rcon = 1;
    uint8_t position = 0;

    aes_make_sbox(ctx, 0);
    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        *w++ = *key++;
    }
    uint8_t t0 = w[-4];
    uint8_t t1 = w[-3];
    uint8_t t2 = w[-2];
    uint8_t t3 = w[-1];
    while (w != end) {
        if (position == 0) {
            uint8_t first = t0;
            t0 = sbox[t1] ^ rcon;
            t1 = sbox[t2];
            t2 = sbox[t3];
            t3 = sbox[first];
            rcon = xtime(rcon);
            position = PRIMITIVE_KEY_BYTES / 4;
        }
#if PRIMITIVE_KEY_BYTES > 24
        else if (position == PRIMITIVE_KEY_BYTES / 4 - 4) {
            t0 = sbox[t0];
            t1 = sbox[t1];
            t2 = sbox[t2];
            t3 = sbox[t3];
        }
#endif
        position--;
        t0 ^= *key_earlier++;
        t1 ^= *key_earlier++;
        t2 ^= *key_earlier++;
        t3 ^= *key_earlier++;
        *w++ = t0;
        *w++ = t1;
        *w++ = t2;
        *w++ = t3;
    }
}
