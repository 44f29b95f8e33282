#include "block.h"

#include "aes.h"

static void substitute_word(uint8_t *word) {
    aes_slice slices[8];
    uint8_t bytes[16];

    aes_pack(slices, word, 4);
    aes_substitute(slices);
    aes_unpack(bytes, slices);
    for (uint8_t i = 0; i < 4; i++) {
        word[i] = bytes[i];
    }
}

/* FIPS 197, section 5.2, KeyExpansion. Of the schedule only the last key length is kept in bytes;
 * each word makes room for the one a key length later once it is in its round key. */
void block_init(block_context *ctx, const uint8_t *key) {
    uint8_t window[PRIMITIVE_KEY_BYTES];
    uint8_t round_key[16];
    uint8_t t[4];
    uint8_t rcon = 1;
    uint8_t position = 0;

    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        window[i] = key[i];
    }
    for (uint8_t i = 0; i < 4; i++) {
        t[i] = window[PRIMITIVE_KEY_BYTES - 4 + i];
    }
    for (uint8_t word = 0; word < 4 * (PRIMITIVE_ROUNDS + 1); word++) {
        if (position == 0) {
            uint8_t first = t[0];
            t[0] = t[1];
            t[1] = t[2];
            t[2] = t[3];
            t[3] = first;
            substitute_word(t);
            t[0] ^= rcon;
            rcon = (uint8_t)(rcon << 1 ^ (rcon & 0x80 ? 0x1b : 0));
        }
#if PRIMITIVE_KEY_BYTES > 24
        if (position == 16) {
            substitute_word(t);
        }
#endif
        for (uint8_t i = 0; i < 4; i++) {
            uint8_t *w = window + position + i;
            round_key[4 * (word & 3) + i] = *w;
            t[i] ^= *w;
            *w = t[i];
        }
        if ((word & 3) == 3) {
            aes_pack(ctx->round_keys[word / 4], round_key, 16);
        }
        position = position == PRIMITIVE_KEY_BYTES - 4 ? 0 : (uint8_t)(position + 4);
    }
}
