#include "block.h"

#include "clefia.h"

/* RFC 6114, encryption. */
/* The words stay in place instead of moving on after each round; after all but the last one they
 * would have moved by one word more than whole turns. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    block_context schedule = *ctx;
    uint8_t s[16];
    uint8_t keys[16];
    uint8_t at = 0;

    clefia_whitening(keys, schedule.key);
    for (uint8_t i = 0; i < 16; i++) {
        s[i] = in[i];
        if (i & 4) {
            s[i] ^= keys[i / 8 * 4 + (i & 3)];
        }
    }
    for (uint8_t round = 0; round < PRIMITIVE_ROUNDS; round++) {
        uint8_t half = round & 1 ? 8 : 0;
        if (half == 0) {
            clefia_next_keys(keys, &schedule, round / 2);
        }
        clefia_add_f0(s + ((at + 4) & 15), s + at, keys + half);
        clefia_add_f1(s + ((at + 12) & 15), s + ((at + 8) & 15), keys + half + 4);
        at = (uint8_t)(at + 4) & 15;
    }
    clefia_whitening(keys, schedule.key);
    for (uint8_t i = 0; i < 16; i++) {
        out[i] = s[(4 + i) & 15];
        if (i & 4) {
            out[i] ^= keys[8 + i / 8 * 4 + (i & 3)];
        }
    }
}
