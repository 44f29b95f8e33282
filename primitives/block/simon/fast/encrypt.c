#include "block.h"

#include "round.h"

/* SIMON paper, section 3.1, two rounds at a time: the words change places by themselves. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const word *k = ctx->round_keys;
    word y = word_load(in);
    word x = word_load(in + WORD_BYTES);

    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2; pairs > 0; pairs--) {
        y = simon_mix(x, y, k[0]);
        x = simon_mix(y, x, k[1]);
        k += 2;
    }
#if PRIMITIVE_ROUNDS % 2
    word_store(out, x);
    word_store(out + WORD_BYTES, simon_mix(x, y, *k));
#else
    word_store(out, y);
    word_store(out + WORD_BYTES, x);
#endif
}
