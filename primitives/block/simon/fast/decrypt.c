#include "block.h"

#include "round.h"

/* SIMON paper, section 3.1: a Feistel network, run with the round keys from last to first. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const word *k = ctx->round_keys + PRIMITIVE_ROUNDS;
    word y = word_load(in);
    word x = word_load(in + WORD_BYTES);

#if PRIMITIVE_ROUNDS % 2
    word t = simon_mix(y, x, *--k);
    x = y;
    y = t;
#endif
    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2; pairs > 0; pairs--) {
        x = simon_mix(y, x, *--k);
        y = simon_mix(x, y, *--k);
    }
    word_store(out, y);
    word_store(out + WORD_BYTES, x);
}
