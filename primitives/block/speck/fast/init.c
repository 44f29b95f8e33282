#include "block.h"

#include "speck.h"

#define KEY_WORDS (PRIMITIVE_KEY_BYTES / WORD_BYTES)

/* SPECK paper, section 4.2: the key schedule is the round function with the round's number as key.
 */
void block_init(block_context *ctx, const uint8_t *key) {
    word l[KEY_WORDS - 1];
    word k = word_load(key);
    uint8_t at = 0;

    for (uint8_t i = 0; i < KEY_WORDS - 1; i++) {
        l[i] = word_load(key + (i + 1) * WORD_BYTES);
    }
    for (uint8_t i = 0; i < PRIMITIVE_ROUNDS; i++) {
        ctx->round_keys[i] = k;
        word x = word_xor(word_add(SPECK_RIGHT(l[at]), k), word_of(i));
        l[at] = x;
        k = word_xor(SPECK_LEFT(k), x);
        at = at == KEY_WORDS - 2 ? 0 : (uint8_t)(at + 1);
    }
}
