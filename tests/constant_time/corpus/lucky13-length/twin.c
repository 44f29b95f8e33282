/* The steps are always as many; a mask keeps the state of the last one that counts. */
#include <stdint.h>

static uint32_t step(uint32_t state, uint8_t byte) {
    state ^= byte;
    state = (state << 5 | state >> 27) + 0x9e3779b9;
    return state ^ state >> 16;
}

/* 1 for a number below 0 in two's complement. */
static uint8_t is_negative(uint32_t value) {
    volatile uint8_t byte = (uint8_t)(value >> 24);
    return byte >> 7;
}

static uint32_t hide(uint32_t value) {
    volatile uint32_t hidden = value;
    return hidden;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    /* Read anew for each step: a compiler would count from the secret length to a secret end
     * otherwise. */
    volatile uint8_t length = 31 - (secret[31] & 15);
    uint32_t state = open[0];
    for (uint8_t i = 0; i < 31; i++) {
        uint32_t counts = 0 - hide(is_negative((uint32_t)i - length));
        state ^= (state ^ step(state, secret[i])) & counts;
    }
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = (uint8_t)(state >> (i & 24)) ^ open[i];
    }
}
