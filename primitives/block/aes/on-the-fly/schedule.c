#include "aes.h"

/* FIPS 197, section 5.2, KeyExpansion; t is the word before. */
void aes_turn(block_context *schedule) {
    uint8_t position = schedule->position;
    uint8_t *word = schedule->window + position;
    const uint8_t *before = position == 0 ? schedule->window + PRIMITIVE_KEY_BYTES - 4 : word - 4;
    uint8_t t0 = before[0];
    uint8_t t1 = before[1];
    uint8_t t2 = before[2];
    uint8_t t3 = before[3];

    if (position == 0) {
        uint8_t first = t0;
        t0 = aes_sbox[t1] ^ schedule->rcon;
        t1 = aes_sbox[t2];
        t2 = aes_sbox[t3];
        t3 = aes_sbox[first];
    }
#if PRIMITIVE_KEY_BYTES > 24
    if (position == 16) {
        t0 = aes_sbox[t0];
        t1 = aes_sbox[t1];
        t2 = aes_sbox[t2];
        t3 = aes_sbox[t3];
    }
#endif
    word[0] ^= t0;
    word[1] ^= t1;
    word[2] ^= t2;
    word[3] ^= t3;
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
