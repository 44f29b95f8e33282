#include "block.h"

#include "aes.h"

/* FIPS 197, section 5.1.2: row r comes from r columns, of four bits each, further on. */
static void shift_rows(aes_slice *state) {
    for (uint8_t b = 0; b < 8; b++) {
        aes_slice s = state[b];
        state[b] = (aes_slice)((s & 0x1111) | ((s >> 4 | s << 12) & 0x2222) |
                               ((s >> 8 | s << 8) & 0x4444) | ((s >> 12 | s << 4) & 0x8888));
    }
}

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    aes_slice state[8];

    aes_pack(state, in, 16);
    aes_add_round_key(state, ctx->round_keys[0]);
    for (uint8_t round = 1; round < PRIMITIVE_ROUNDS; round++) {
        aes_substitute(state);
        shift_rows(state);
        aes_mix_columns(state);
        aes_add_round_key(state, ctx->round_keys[round]);
    }
    aes_substitute(state);
    shift_rows(state);
    aes_add_round_key(state, ctx->round_keys[PRIMITIVE_ROUNDS]);
    aes_unpack(out, state);
}
