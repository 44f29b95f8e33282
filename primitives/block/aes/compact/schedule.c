#include "aes.h"

/* FIPS 197, section 5.2, KeyExpansion. */
void aes_turn(block_context *schedule) {
    uint8_t position = schedule->position;
    uint8_t *word = schedule->window + position;
    const uint8_t *before = word - 4;

    if (position == 0) {
        before = schedule->window + PRIMITIVE_KEY_BYTES - 4;
        word[0] ^= schedule->rcon;
    }
    for (uint8_t i = 0; i < 4; i++) {
        uint8_t t = before[i];
        if (position == 0) {
            t = aes_substitute(before[(i + 1) & 3]);
        }
#if PRIMITIVE_KEY_BYTES > 24
        if (position == 16) {
            t = aes_substitute(t);
        }
#endif
        word[i] ^= t;
    }
}

void aes_advance(block_context *schedule) {
    aes_turn(schedule);
    if (schedule->position == 0) {
        schedule->rcon = xtime(schedule->rcon);
    }
    schedule->position = (uint8_t)(schedule->position + 4);
    if (schedule->position == PRIMITIVE_KEY_BYTES) {
        schedule->position = 0;
    }
}
