#include "block.h"

#include "rom.h"
#include "sequence.h"
#include "word.h"

#define KEY_WORDS (PRIMITIVE_KEY_BYTES / WORD_BYTES)

static const ROM uint8_t sequence[8] = SIMON_SEQUENCE_BYTES;

/* SIMON paper, section 3.2. The constant 2^n - 4 is the complement of 3. */
void block_init(block_context *ctx, const uint8_t *key) {
    word *k = ctx->round_keys;
    uint8_t at = 0;
    uint8_t bits = 0;

    for (uint8_t i = 0; i < KEY_WORDS; i++) {
        k[i] = word_load(key + i * WORD_BYTES);
    }
    for (uint8_t left = PRIMITIVE_ROUNDS - KEY_WORDS; left > 0; left--) {
        word t = word_rotr3(k[KEY_WORDS - 1]);
#if PRIMITIVE_KEY_BYTES == 4 * WORD_BYTES
        t = word_xor(t, k[1]);
#endif
        if ((at & 7) == 0) {
            bits = sequence[at >> 3];
        }
        t = word_xor(t, word_rotr1(t));
        t = word_xor(t, word_not(word_of((uint8_t)(3 ^ (bits & 1)))));
        bits >>= 1;
        at = at == SIMON_SEQUENCE_BITS - 1 ? 0 : (uint8_t)(at + 1);
        k[KEY_WORDS] = word_xor(*k, t);
        k++;
    }
}
