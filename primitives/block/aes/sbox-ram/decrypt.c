#include "block.h"

#include "aes.h"

/* InvMixColumns of the column of `from` that begins at c, between AddRoundKey and the next round's
 * InvShiftRows and InvSubBytes (FIPS 197, section 5.3). The inverse matrix is the forward one after
 * 4(a0 + a2) has been added to a0 and a2, and 4(a1 + a3) to a1 and a3. */
static inline void unmix_column(const uint8_t *sbox, uint8_t *to, const uint8_t *from,
                                const uint8_t *round_key, uint8_t c) {
    uint8_t a0 = from[c] ^ round_key[c];
    uint8_t a1 = from[c + 1] ^ round_key[c + 1];
    uint8_t a2 = from[c + 2] ^ round_key[c + 2];
    uint8_t a3 = from[c + 3] ^ round_key[c + 3];
    uint8_t even = xtime(xtime(a0 ^ a2));
    uint8_t odd = xtime(xtime(a1 ^ a3));
    uint8_t all = a0 ^ a1 ^ a2 ^ a3;

    a0 ^= even;
    a1 ^= odd;
    a2 ^= even;
    a3 ^= odd;
    to[c] = sbox[a0 ^ all ^ xtime(a0 ^ a1)];
    to[(c + 5) & 15] = sbox[a1 ^ all ^ xtime(a1 ^ a2)];
    to[(c + 10) & 15] = sbox[a2 ^ all ^ xtime(a2 ^ a3)];
    to[(c + 15) & 15] = sbox[a3 ^ all ^ xtime(a3 ^ a0)];
}

static void full_round(const uint8_t *sbox, uint8_t *to, const uint8_t *from,
                       const uint8_t *round_key) {
    unmix_column(sbox, to, from, round_key, 0);
    unmix_column(sbox, to, from, round_key, 4);
    unmix_column(sbox, to, from, round_key, 8);
    unmix_column(sbox, to, from, round_key, 12);
}

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t even[16];
    uint8_t odd[16];
    const uint8_t *round_key = ctx->round_keys + 16 * PRIMITIVE_ROUNDS;

    for (uint8_t i = 0, to = 0; i < 16; i++) {
        even[to] = ctx->sbox[in[i] ^ round_key[i]];
        to = (uint8_t)(to + 5) & 15;
    }
    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2 - 1; pairs > 0; pairs--) {
        full_round(ctx->sbox, odd, even, round_key - 16);
        round_key -= 32;
        full_round(ctx->sbox, even, odd, round_key);
    }
    full_round(ctx->sbox, odd, even, round_key - 16);
    round_key -= 32;
    for (uint8_t i = 0; i < 16; i++) {
        out[i] = odd[i] ^ round_key[i];
    }
}
