#include "seed.h"

/* RFC 4269, key schedule: KC0, of which each next constant is the rotation by one bit. */
#define KC0 UINT32_C(0x9E3779B9)

void seed_round_key(uint32_t *round_key, const uint8_t *key, uint8_t round) {
    uint32_t words[4];
    uint32_t constant = KC0;

    seed_load(words, key);
    while (round > 0) {
        constant = constant << 1 | constant >> 31;
        round--;
    }
    round_key[0] = seed_g(words[0] + words[2] - constant);
    round_key[1] = seed_g(words[1] - words[3] + constant);
}

void seed_turn_right(uint8_t *half) {
    uint8_t last = half[7];

    for (uint8_t i = 7; i > 0; i--) {
        half[i] = half[i - 1];
    }
    half[0] = last;
}

void seed_turn_left(uint8_t *half) {
    uint8_t first = half[0];

    for (uint8_t i = 0; i < 7; i++) {
        half[i] = half[i + 1];
    }
    half[7] = first;
}
