#include "block.h"

#include "bytes.h"
#include "mix.h"

static void full_round(uint32_t *to, const uint32_t *from, const uint32_t *round_key) {
    to[0] = mix_column(from, 0) ^ round_key[0];
    to[1] = mix_column(from, 1) ^ round_key[1];
    to[2] = mix_column(from, 2) ^ round_key[2];
    to[3] = mix_column(from, 3) ^ round_key[3];
}

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint32_t even[4];
    uint32_t odd[4];
    const uint32_t *round_key = ctx->round_keys;

    for (uint8_t c = 0; c < 4; c++) {
        even[c] = load32_le(in + 4 * c) ^ round_key[c];
    }
    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2 - 1; pairs > 0; pairs--) {
        full_round(odd, even, round_key + 4);
        round_key += 8;
        full_round(even, odd, round_key);
    }
    full_round(odd, even, round_key + 4);
    round_key += 8;
    for (uint8_t c = 0; c < 4; c++) {
        store32_le(out + 4 * c, last_column(odd, c) ^ round_key[c]);
    }
}
