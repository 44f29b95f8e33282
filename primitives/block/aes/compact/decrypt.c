#include "block.h"

#include "aes.h"

/* The inverse of the affine map adds the rotations by one, three and six bits. */
static uint8_t inverse_substitute(uint8_t a) {
    uint8_t sum =
        (uint8_t)(a << 1 | a >> 7) ^ (uint8_t)(a << 3 | a >> 5) ^ (uint8_t)(a << 6 | a >> 2) ^ 0x05;

    return aes_invert(sum);
}

static void retreat(block_context *schedule) {
    if (schedule->position == 0) {
        schedule->position = PRIMITIVE_KEY_BYTES;
    }
    schedule->position = (uint8_t)(schedule->position - 4);
    if (schedule->position == 0) {
        schedule->rcon = (uint8_t)(schedule->rcon >> 1 ^ (0x8d & (0u - (schedule->rcon & 1))));
    }
}

static void add_round_key(uint8_t *state, block_context *schedule) {
    for (uint8_t c = 16; c > 0;) {
        retreat(schedule);
        for (uint8_t i = 4; i > 0;) {
            i--;
            c--;
            state[c] ^= schedule->window[schedule->position + i];
        }
        aes_turn(schedule);
    }
}

/* The inverse matrix is the forward one after 4(a0 + a2) has been added to a0 and a2, and
 * 4(a1 + a3) to a1 and a3 (FIPS 197, section 5.3.3). */
static void unmix_columns(uint8_t *state) {
    for (uint8_t i = 0; i < 16; i++) {
        if ((i & 2) == 0) {
            uint8_t add = xtime(xtime(state[i] ^ state[i + 2]));
            state[i] ^= add;
            state[i + 2] ^= add;
        }
    }
    aes_mix_columns(state);
}

/* FIPS 197, section 5.3, on the state in out. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    block_context schedule = *ctx;

    for (uint8_t i = 0; i < 16; i++) {
        out[i] = in[i];
    }
    add_round_key(out, &schedule);
    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        for (uint8_t row = 1; row < 4; row++) {
            for (uint8_t places = row; places < 4; places++) {
                aes_rotate_row(out + row);
            }
        }
        for (uint8_t i = 0; i < 16; i++) {
            out[i] = inverse_substitute(out[i]);
        }
        add_round_key(out, &schedule);
        if (rounds > 1) {
            unmix_columns(out);
        }
    }
}
