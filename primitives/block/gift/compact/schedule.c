#include "schedule.h"

/* The first of the two bits of a nibble that take a key bit. */
#define KEY_BIT (PRIMITIVE_BLOCK_BYTES == 8 ? 0 : 1)

void gift_schedule_start(gift_schedule *s, const block_context *ctx) {
    for (uint8_t i = 0; i < 8; i++) {
        s->key[i] = ctx->key[i];
    }
    s->at = 0;
    s->round = 0;
    s->constant = 1;
}

void gift_schedule_next(gift_schedule *s) {
    uint16_t *k = s->key + s->at;

    k[0] = (uint16_t)(k[0] >> 12 | k[0] << 4);
    k[1] = (uint16_t)(k[1] >> 2 | k[1] << 14);
    s->at = (uint8_t)(s->at + 2) & 7;
    s->round++;
    s->constant =
        (uint8_t)((s->constant << 1 & 0x3E) | ((s->constant >> 5 ^ s->constant >> 4 ^ 1) & 1));
}

void gift_schedule_back(gift_schedule *s) {
    uint16_t *k;

    s->at = (uint8_t)(s->at - 2) & 7;
    s->round--;
    s->constant = (uint8_t)(s->constant >> 1 | ((s->constant << 5 ^ s->constant ^ 0x20) & 0x20));
    k = s->key + s->at;
    k[0] = (uint16_t)(k[0] << 12 | k[0] >> 4);
    k[1] = (uint16_t)(k[1] << 2 | k[1] >> 14);
}

static void add_word(uint8_t *state, uint16_t word, uint8_t first, uint8_t b) {
    for (uint8_t i = 0; i < 16; i++) {
        if (word & 1) {
            gift_flip(state, (uint8_t)(first + i), b);
        }
        word >>= 1;
    }
}

void gift_schedule_add(const gift_schedule *s, uint8_t *state) {
    add_word(state, s->key[s->at], 0, KEY_BIT);
#if PRIMITIVE_BLOCK_BYTES == 8
    add_word(state, s->key[s->at + 1], 0, KEY_BIT + 1);
#else
    add_word(state, s->key[s->at + 1], 16, KEY_BIT);
    add_word(state, s->key[s->at ^ 4], 0, KEY_BIT + 1);
    add_word(state, s->key[s->at ^ 5], 16, KEY_BIT + 1);
#endif
    add_word(state, s->constant, 0, 3);
    gift_flip(state, GIFT_NIBBLES - 1, 3);
}

uint8_t gift_place(uint8_t n, uint8_t b) {
    return (uint8_t)((n >> 2) + GIFT_NIBBLES / 4 * ((b - n) & 3));
}

void gift_flip(uint8_t *state, uint8_t place, uint8_t b) {
    state[place >> 1] = (uint8_t)(state[place >> 1] ^ GIFT_MASK(place, b));
}

void gift_reverse(uint8_t *to, const uint8_t *from) {
    for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i++) {
        to[PRIMITIVE_BLOCK_BYTES - 1 - i] = from[i];
    }
}
