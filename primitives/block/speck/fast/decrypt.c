#include "block.h"

#include "speck.h"

/* SPECK paper, section 4.1, the inverse. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const word *k = ctx->round_keys + PRIMITIVE_ROUNDS;
    word y = word_load(in);
    word x = word_load(in + WORD_BYTES);

    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        word t = word_xor(y, x);
        y = SPECK_UNLEFT(t);
        t = word_sub(word_xor(x, *--k), y);
        x = SPECK_UNRIGHT(t);
    }
    word_store(out, y);
    word_store(out + WORD_BYTES, x);
}
