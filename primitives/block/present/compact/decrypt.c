#include "block.h"

#include "schedule.h"

static const ROM uint8_t inverse[16] = {0x5, 0xE, 0xF, 0x8, 0xC, 0x1, 0x2, 0xD,
                                        0xB, 0x4, 0x6, 0x3, 0x0, 0x7, 0x9, 0xA};

/* Both layers of the PRESENT paper, section 3, undone: nibble n is made of bit n of each word. */
static void layer(uint8_t *state) {
    uint16_t words[4];

    for (uint8_t b = 0; b < 4; b++) {
        words[b] = (uint16_t)((uint16_t)state[2 * b] << 8 | state[2 * b + 1]);
    }
    for (uint8_t n = 0; n < 16; n++) {
        uint8_t nibble = 0;
        for (uint8_t b = 0; b < 4; b++) {
            nibble = (uint8_t)(nibble << 1 | (uint8_t)(words[b] >> 15));
            words[b] = (uint16_t)(words[b] << 1);
        }
        nibble = inverse[nibble];
        state[n >> 1] = (uint8_t)(n & 1 ? state[n >> 1] | nibble : nibble << 4);
    }
}

/* One step of the key schedule undone. */
static void schedule_back(uint8_t *key, uint8_t round) {
    uint8_t old[PRIMITIVE_KEY_BYTES];
    uint8_t from = PRIMITIVE_KEY_BYTES == 10 ? 2 : 8;
    uint8_t here;

#if PRIMITIVE_KEY_BYTES == 10
    key[0] = (uint8_t)(inverse[key[0] >> 4] << 4 | (key[0] & 0xF));
    key[7] ^= round >> 1;
    key[8] ^= (uint8_t)(round << 7);
#else
    key[0] = (uint8_t)(inverse[key[0] >> 4] << 4 | inverse[key[0] & 0xF]);
    key[7] ^= round >> 2;
    key[8] ^= (uint8_t)(round << 6);
#endif
    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        old[i] = key[i];
    }
    here = old[from];
    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        from = from == PRIMITIVE_KEY_BYTES - 1 ? 0 : (uint8_t)(from + 1);
        key[i] = (uint8_t)(here << 3 | old[from] >> 5);
        here = old[from];
    }
}

/* Runs the key schedule to its end, then back beside the data. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t key[PRIMITIVE_KEY_BYTES];
    uint8_t i;

    for (i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        key[i] = ctx->key[i];
    }
    for (uint8_t round = 1; round <= PRIMITIVE_ROUNDS; round++) {
        present_schedule_next(key, round);
    }
    for (i = 0; i < 8; i++) {
        out[i] = in[i];
    }
    for (uint8_t round = PRIMITIVE_ROUNDS;; round--) {
        for (i = 0; i < 8; i++) {
            out[i] ^= key[i];
        }
        if (round == 0) {
            return;
        }
        layer(out);
        schedule_back(key, round);
    }
}
