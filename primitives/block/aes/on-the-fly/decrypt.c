#include "block.h"

#include "aes.h"
#include "inverse_shift_rows.h"

static void retreat(block_context *schedule) {
    if (schedule->position == 0) {
        schedule->position = PRIMITIVE_KEY_BYTES;
    }
    schedule->position = (uint8_t)(schedule->position - 4);
    if (schedule->position == 0) {
        schedule->rcon = (uint8_t)(schedule->rcon >> 1 ^ (0x8d & (0u - (schedule->rcon & 1))));
    }
}

/* From the last word to the first. */
static void add_round_key(uint8_t *state, block_context *schedule) {
    uint8_t *column = state + 16;

    do {
        retreat(schedule);
        const uint8_t *word = schedule->window + schedule->position;
        column -= 4;
        column[0] ^= word[0];
        column[1] ^= word[1];
        column[2] ^= word[2];
        column[3] ^= word[3];
        aes_turn(schedule);
    } while (column != state);
}

/* FIPS 197, section 5.3. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t s[16];
    block_context schedule = *ctx;

    for (uint8_t i = 0; i < 16; i++) {
        s[i] = in[i];
    }
    add_round_key(s, &schedule);
    for (uint8_t round = PRIMITIVE_ROUNDS;;) {
        shift_and_substitute(s);
        add_round_key(s, &schedule);
        if (--round == 0) {
            break;
        }
        /* InvMixColumns, FIPS 197, section 5.3.3: the inverse matrix is the forward one after
         * 4(a0 + a2) has been added to a0 and a2, and 4(a1 + a3) to a1 and a3. */
        for (uint8_t *column = s; column != s + 16; column += 4) {
            uint8_t a0 = column[0];
            uint8_t a1 = column[1];
            uint8_t a2 = column[2];
            uint8_t a3 = column[3];
            uint8_t all = a0 ^ a1 ^ a2 ^ a3;
            uint8_t even = xtime(xtime(a0 ^ a2));
            uint8_t odd = xtime(xtime(a1 ^ a3));

            a0 ^= even;
            a1 ^= odd;
            a2 ^= even;
            a3 ^= odd;
            column[0] = (uint8_t)(a0 ^ all ^ xtime(a0 ^ a1));
            column[1] = (uint8_t)(a1 ^ all ^ xtime(a1 ^ a2));
            column[2] = (uint8_t)(a2 ^ all ^ xtime(a2 ^ a3));
            column[3] = (uint8_t)(a3 ^ all ^ xtime(a3 ^ a0));
        }
    }
    for (uint8_t i = 0; i < 16; i++) {
        out[i] = s[i];
    }
}
