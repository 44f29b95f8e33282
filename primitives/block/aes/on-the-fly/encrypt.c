#include "block.h"

#include "aes.h"
#include "shift_rows.h"

static void add_round_key(uint8_t *state, block_context *schedule) {
    for (uint8_t *column = state; column != state + 16; column += 4) {
        const uint8_t *word = schedule->window + schedule->position;
        column[0] ^= word[0];
        column[1] ^= word[1];
        column[2] ^= word[2];
        column[3] ^= word[3];
        aes_advance(schedule);
    }
}

/* FIPS 197, section 5.1. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t s[16];
    block_context schedule = *ctx;

    for (uint8_t i = 0; i < 16; i++) {
        s[i] = in[i];
    }
    for (uint8_t round = PRIMITIVE_ROUNDS;;) {
        add_round_key(s, &schedule);
        substitute_and_shift(s);
        if (--round == 0) {
            break;
        }
        /* MixColumns, FIPS 197, section 5.1.3. */
        for (uint8_t *column = s; column != s + 16; column += 4) {
            uint8_t a0 = column[0];
            uint8_t a1 = column[1];
            uint8_t a2 = column[2];
            uint8_t a3 = column[3];
            uint8_t all = a0 ^ a1 ^ a2 ^ a3;

            column[0] = (uint8_t)(a0 ^ all ^ xtime(a0 ^ a1));
            column[1] = (uint8_t)(a1 ^ all ^ xtime(a1 ^ a2));
            column[2] = (uint8_t)(a2 ^ all ^ xtime(a2 ^ a3));
            column[3] = (uint8_t)(a3 ^ all ^ xtime(a3 ^ a0));
        }
    }
    add_round_key(s, &schedule);
    for (uint8_t i = 0; i < 16; i++) {
        out[i] = s[i];
    }
}
