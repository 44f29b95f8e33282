#include "block.h"

#include "aes.h"

static void add_round_key(uint8_t *state, block_context *schedule) {
    for (uint8_t c = 4; c > 0; c--) {
        const uint8_t *word = schedule->window + schedule->position;
        for (uint8_t i = 4; i > 0; i--) {
            *state++ ^= *word++;
        }
        aes_advance(schedule);
    }
}

/* FIPS 197, section 5.1, on the state in out. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    block_context schedule = *ctx;

    for (uint8_t i = 0; i < 16; i++) {
        out[i] = in[i];
    }
    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        add_round_key(out, &schedule);
        for (uint8_t i = 0; i < 16; i++) {
            out[i] = aes_substitute(out[i]);
        }
        for (uint8_t row = 1; row < 4; row++) {
            for (uint8_t places = row; places > 0; places--) {
                aes_rotate_row(out + row);
            }
        }
        if (rounds > 1) {
            aes_mix_columns(out);
        }
    }
    add_round_key(out, &schedule);
}
