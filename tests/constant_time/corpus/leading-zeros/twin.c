/* Every byte is hashed; a mask drops the steps before the first one that is not zero. */
#include <stdint.h>

static uint32_t step(uint32_t state, uint8_t byte) {
    state ^= byte;
    state = (state << 5 | state >> 27) + 0x9e3779b9;
    return state ^ state >> 16;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint32_t state = open[0];
    uint8_t begun = 0;
    for (uint8_t i = 0; i < 32; i++) {
        begun |= i < 31 ? secret[i] : 1;
        volatile uint16_t negated = (uint16_t)(0u - begun);
        volatile uint8_t bit = (uint8_t)(negated >> 8) & 1;
        state ^= (state ^ step(state, secret[i])) & (0 - (uint32_t)bit);
    }
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = (uint8_t)(state >> (i & 24)) ^ open[i];
    }
}
