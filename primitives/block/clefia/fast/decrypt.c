#include "block.h"

#include "clefia.h"

/* RFC 6114, decryption: from the last round to the first, on words that stay in place. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t s[16];
    const uint8_t *round_key = ctx->round_keys + 8 * PRIMITIVE_ROUNDS;

    for (uint8_t i = 0; i < 16; i++) {
        s[(4 + i) & 15] = in[i];
    }
    for (uint8_t i = 0; i < 4; i++) {
        s[8 + i] ^= ctx->whitening[8 + i];
        s[i] ^= ctx->whitening[12 + i];
    }
    round_key -= 16;
    clefia_add_f1(s, s + 12, round_key + 12);
    clefia_add_f0(s + 8, s + 4, round_key + 8);
    clefia_add_f1(s + 12, s + 8, round_key + 4);
    clefia_add_f0(s + 4, s, round_key);
    for (uint8_t fours = PRIMITIVE_ROUNDS / 4; fours > 0; fours--) {
        round_key -= 32;
        clefia_add_f1(s + 8, s + 4, round_key + 28);
        clefia_add_f0(s, s + 12, round_key + 24);
        clefia_add_f1(s + 4, s, round_key + 20);
        clefia_add_f0(s + 12, s + 8, round_key + 16);
        clefia_add_f1(s, s + 12, round_key + 12);
        clefia_add_f0(s + 8, s + 4, round_key + 8);
        clefia_add_f1(s + 12, s + 8, round_key + 4);
        clefia_add_f0(s + 4, s, round_key);
    }
    for (uint8_t i = 0; i < 4; i++) {
        s[4 + i] ^= ctx->whitening[i];
        s[12 + i] ^= ctx->whitening[4 + i];
    }
    for (uint8_t i = 0; i < 16; i++) {
        out[i] = s[i];
    }
}
