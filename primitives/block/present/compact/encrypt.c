#include "block.h"

#include "schedule.h"

/* S-boxes and bit permutation, PRESENT paper, section 3: bit b of nibble n goes to bit n of the
 * 16-bit word b, counted here from the highest of all. Every word is shifted in from below. */
static void layer(uint8_t *state) {
    uint16_t words[4] = {0, 0, 0, 0};

    for (uint8_t n = 0; n < 16; n++) {
        uint8_t nibble = n & 1 ? state[n >> 1] & 0xF : state[n >> 1] >> 4;
        nibble = present_sbox[nibble];
        for (uint8_t b = 4; b-- > 0;) {
            words[b] = (uint16_t)(words[b] << 1 | (nibble & 1));
            nibble >>= 1;
        }
    }
    for (uint8_t b = 0; b < 4; b++) {
        state[2 * b] = (uint8_t)(words[b] >> 8);
        state[2 * b + 1] = (uint8_t)words[b];
    }
}

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t key[PRIMITIVE_KEY_BYTES];
    uint8_t i;

    for (i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        key[i] = ctx->key[i];
    }
    for (i = 0; i < 8; i++) {
        out[i] = in[i];
    }
    for (uint8_t round = 1;; round++) {
        for (i = 0; i < 8; i++) {
            out[i] ^= key[i];
        }
        if (round > PRIMITIVE_ROUNDS) {
            return;
        }
        layer(out);
        present_schedule_next(key, round);
    }
}
