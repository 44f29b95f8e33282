#include "block.h"

#include "aes.h"
#include "bytes.h"

#define KEY_WORDS (PRIMITIVE_KEY_BYTES / 4)

static uint32_t substitute_word(uint8_t a0, uint8_t a1, uint8_t a2, uint8_t a3) {
    return (uint32_t)aes_substitute(a0) | (uint32_t)aes_substitute(a1) << 8 |
           (uint32_t)aes_substitute(a2) << 16 | (uint32_t)aes_substitute(a3) << 24;
}

/* FIPS 197, section 5.2, KeyExpansion. */
void block_init(block_context *ctx, const uint8_t *key) {
    uint32_t *w = ctx->round_keys;
    const uint32_t *end = ctx->round_keys + 4 * (PRIMITIVE_ROUNDS + 1);
    uint8_t rcon = 1;
    uint8_t position = 0;

    for (uint8_t i = 0; i < KEY_WORDS; i++) {
        *w++ = load32_le(key + 4 * i);
    }
    while (w != end) {
        uint32_t t = w[-1];
        if (position == 0) {
            t = substitute_word(aes_row(t, 1), aes_row(t, 2), aes_row(t, 3), aes_row(t, 0)) ^ rcon;
            rcon = (uint8_t)(rcon << 1 ^ (rcon & 0x80 ? 0x1b : 0));
        }
#if PRIMITIVE_KEY_BYTES > 24
        if (position == 4) {
            t = substitute_word(aes_row(t, 0), aes_row(t, 1), aes_row(t, 2), aes_row(t, 3));
        }
#endif
        *w = t ^ w[-KEY_WORDS];
        w++;
        position = position == KEY_WORDS - 1 ? 0 : (uint8_t)(position + 1);
    }
}
