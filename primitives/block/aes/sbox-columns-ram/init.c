#include "block.h"

#include "aes.h"
#include "bytes.h"

#define KEY_WORDS (PRIMITIVE_KEY_BYTES / 4)

/* FIPS 197, section 5.2, KeyExpansion. */
void block_init(block_context *ctx, const uint8_t *key) {
    uint32_t *w = ctx->round_keys;
    const uint32_t *end = ctx->round_keys + 4 * (PRIMITIVE_ROUNDS + 1);
    uint32_t rcon = 1;
    uint8_t position = 0;

    aes_make_tables(ctx);
    for (uint8_t i = 0; i < KEY_WORDS; i++) {
        *w++ = load32_le(key + 4 * i);
    }
    while (w != end) {
        uint32_t t = w[-1];
        if (position == 0) {
            t = rotl32(t, 24);
            t = aes_substitute(ctx->sbox, t, t, t, t) ^ rcon;
            rcon = xtimes(rcon);
        }
#if PRIMITIVE_KEY_BYTES > 24
        if (position == 4) {
            t = aes_substitute(ctx->sbox, t, t, t, t);
        }
#endif
        *w = t ^ w[-KEY_WORDS];
        w++;
        position = position == KEY_WORDS - 1 ? 0 : (uint8_t)(position + 1);
    }
}
