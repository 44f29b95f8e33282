#include "block.h"

#include "aes.h"

/* SubBytes, ShiftRows and MixColumns (FIPS 197, section 5.1) of the column of `to` that begins at
 * c. */
static inline void mix_column(const uint8_t *sbox, uint8_t *to, const uint8_t *from,
                              const uint8_t *round_key, uint8_t c) {
    uint8_t a0 = sbox[from[c]];
    uint8_t a1 = sbox[from[(c + 5) & 15]];
    uint8_t a2 = sbox[from[(c + 10) & 15]];
    uint8_t a3 = sbox[from[(c + 15) & 15]];
    uint8_t all = a0 ^ a1 ^ a2 ^ a3;

    to[c] = (uint8_t)(a0 ^ all ^ xtime(a0 ^ a1) ^ round_key[c]);
    to[c + 1] = (uint8_t)(a1 ^ all ^ xtime(a1 ^ a2) ^ round_key[c + 1]);
    to[c + 2] = (uint8_t)(a2 ^ all ^ xtime(a2 ^ a3) ^ round_key[c + 2]);
    to[c + 3] = (uint8_t)(a3 ^ all ^ xtime(a3 ^ a0) ^ round_key[c + 3]);
}

static void full_round(const uint8_t *sbox, uint8_t *to, const uint8_t *from,
                       const uint8_t *round_key) {
    mix_column(sbox, to, from, round_key, 0);
    mix_column(sbox, to, from, round_key, 4);
    mix_column(sbox, to, from, round_key, 8);
    mix_column(sbox, to, from, round_key, 12);
}

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t even[16];
    uint8_t odd[16];
    const uint8_t *round_key = ctx->round_keys;

    for (uint8_t i = 0; i < 16; i++) {
        even[i] = in[i] ^ round_key[i];
    }
    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2 - 1; pairs > 0; pairs--) {
        full_round(ctx->sbox, odd, even, round_key + 16);
        round_key += 32;
        full_round(ctx->sbox, even, odd, round_key);
    }
    full_round(ctx->sbox, odd, even, round_key + 16);
    round_key += 32;
    for (uint8_t i = 0, from = 0; i < 16; i++) {
        out[i] = ctx->sbox[odd[from]] ^ round_key[i];
        from = (uint8_t)(from + 5) & 15;
    }
}
