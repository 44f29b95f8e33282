#include "block.h"

#include "clefia.h"

/* RFC 6114, decryption: from the last round to the first, on words that stay in place. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    block_context schedule = *ctx;
    uint8_t s[16];
    uint8_t keys[16];
    uint8_t at = 8;

    clefia_whitening(keys, schedule.key);
    for (uint8_t i = 0; i < 16; i++) {
        uint8_t byte = in[i];
        if (i & 4) {
            byte ^= keys[8 + i / 8 * 4 + (i & 3)];
        }
        s[(4 + i) & 15] = byte;
    }
    for (uint8_t round = PRIMITIVE_ROUNDS; round > 0;) {
        round--;
        uint8_t half = round & 1 ? 8 : 0;
        if (half != 0) {
            clefia_previous_keys(keys, &schedule, round / 2);
        }
        at = (uint8_t)(at - 4) & 15;
        clefia_add_f1(s + ((at + 12) & 15), s + ((at + 8) & 15), keys + half + 4);
        clefia_add_f0(s + ((at + 4) & 15), s + at, keys + half);
    }
    clefia_whitening(keys, schedule.key);
    for (uint8_t i = 0; i < 16; i++) {
        out[i] = s[i];
        if (i & 4) {
            out[i] ^= keys[i / 8 * 4 + (i & 3)];
        }
    }
}
