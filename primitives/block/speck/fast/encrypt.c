#include "block.h"

#include "speck.h"

/* SPECK paper, section 4.1. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const word *k = ctx->round_keys;
    word y = word_load(in);
    word x = word_load(in + WORD_BYTES);

    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        x = word_xor(word_add(SPECK_RIGHT(x), y), *k++);
        y = word_xor(SPECK_LEFT(y), x);
    }
    word_store(out, y);
    word_store(out + WORD_BYTES, x);
}
