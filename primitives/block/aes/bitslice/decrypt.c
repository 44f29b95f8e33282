#include "block.h"

#include "aes.h"

/* FIPS 197, section 5.3.1. */
static void unshift_rows(aes_slice *state) {
    for (uint8_t b = 0; b < 8; b++) {
        aes_slice s = state[b];
        state[b] = (aes_slice)((s & 0x1111) | ((s >> 12 | s << 4) & 0x2222) |
                               ((s >> 8 | s << 8) & 0x4444) | ((s >> 4 | s << 12) & 0x8888));
    }
}

/* Into the basis of aes_invert, through the inverse of the affine map, and out of it. */
static void unsubstitute(aes_slice *state) {
    aes_slice x0 = (aes_slice)~state[0];
    aes_slice x2 = state[2];
    aes_slice x3 = state[3];
    aes_slice x4 = state[4];
    aes_slice x5 = (aes_slice)~state[5];
    aes_slice x6 = (aes_slice)~state[6];
    aes_slice x7 = state[7];
    aes_slice x12 = (aes_slice)~state[1] ^ x2;
    aes_slice x45 = x4 ^ x5;
    aes_slice x012 = x12 ^ x0;
    aes_slice x0127 = x012 ^ x7;

    state[0] = x45 ^ x12;
    state[1] = x2 ^ x45;
    state[2] = x5 ^ x2 ^ x0;
    state[3] = x4 ^ x012;
    state[4] = x3 ^ x0127;
    state[5] = x0127 ^ x45;
    state[6] = x6 ^ x3 ^ x45;
    state[7] = x7 ^ x6 ^ x12;

    aes_invert(state);

    aes_slice y2 = state[2];
    aes_slice y4 = state[4];
    aes_slice y7 = state[7];
    aes_slice y25 = y2 ^ state[5];
    aes_slice y135 = state[1] ^ state[3] ^ state[5];

    state[0] ^= y25;
    state[4] = state[6] ^ state[3] ^ y2;
    state[6] = y4 ^ state[1] ^ y25;
    state[1] = y7 ^ y4;
    state[3] = y2;
    state[2] = y25;
    state[5] = y135;
    state[7] = y7 ^ y135;
}

/* Adds 4 times the sum of each byte and the one two rows away, after which the forward matrix is
 * the inverse one (FIPS 197, section 5.3.3). */
static void unmix_columns(aes_slice *state) {
    aes_slice times4[8];

    for (uint8_t b = 0; b < 8; b++) {
        times4[(b + 2) & 7] = state[b] ^ aes_opposite_row(state[b]);
    }
    times4[5] ^= times4[1];
    times4[4] ^= times4[0] ^ times4[1];
    times4[3] ^= times4[0];
    times4[2] ^= times4[1];
    times4[1] ^= times4[0];
    aes_add_round_key(state, times4);
    aes_mix_columns(state);
}

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    aes_slice state[8];

    aes_pack(state, in, 16);
    aes_add_round_key(state, ctx->round_keys[PRIMITIVE_ROUNDS]);
    unshift_rows(state);
    unsubstitute(state);
    for (uint8_t round = PRIMITIVE_ROUNDS - 1; round > 0; round--) {
        aes_add_round_key(state, ctx->round_keys[round]);
        unmix_columns(state);
        unshift_rows(state);
        unsubstitute(state);
    }
    aes_add_round_key(state, ctx->round_keys[0]);
    aes_unpack(out, state);
}
