#include "block.h"

#include "aes.h"
#include "bytes.h"

#define KEY_WORDS   (PRIMITIVE_KEY_BYTES / 4)
#define COLUMNS     (4 * (PRIMITIVE_ROUNDS + 1))
#define LAST_COLUMN 0xff000000u

/* FIPS 197, section 5.2, KeyExpansion. Each column moves into the rows from above, so that after
 * four of them the first is lowest. */
void block_init(block_context *ctx, const uint8_t *key) {
    uint32_t recent[KEY_WORDS];
    uint32_t *round_key = ctx->round_keys;
    uint32_t k0 = 0;
    uint32_t k1 = 0;
    uint32_t k2 = 0;
    uint32_t k3 = 0;
    uint32_t t = 0;
    uint8_t rcon = 1;
    uint8_t position = 0;

    for (uint8_t column = 0; column < COLUMNS; column++) {
        if (column < KEY_WORDS) {
            t = load32_le(key + 4 * column);
        } else {
            if (position == 0) {
                t = aes_substitute(aes_sbox, t, 1) ^ rcon;
                rcon = (uint8_t)xtimes(rcon);
            }
#if PRIMITIVE_KEY_BYTES > 24
            if (position == 4) {
                t = aes_substitute(aes_sbox, t, 0);
            }
#endif
            t ^= recent[position];
        }
        recent[position] = t;
        position = position == KEY_WORDS - 1 ? 0 : (uint8_t)(position + 1);

        k0 = k0 >> 8 | t << 24;
        k1 = k1 >> 8 | (t << 16 & LAST_COLUMN);
        k2 = k2 >> 8 | (t << 8 & LAST_COLUMN);
        k3 = k3 >> 8 | (t & LAST_COLUMN);
        if ((column & 3) == 3) {
            *round_key++ = k0;
            *round_key++ = k1;
            *round_key++ = k2;
            *round_key++ = k3;
        }
    }
}
