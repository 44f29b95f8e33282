/* Leading bytes that are zero are stripped from a shared secret before it is hashed. */
#include <stdint.h>

static uint32_t step(uint32_t state, uint8_t byte) {
    state ^= byte;
    state = (state << 5 | state >> 27) + 0x9e3779b9;
    return state ^ state >> 16;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint8_t first = 0;
    while (first < 31 && secret[first] == 0) {
        first++;
    }
    uint32_t state = open[0];
    for (uint8_t i = first; i < 32; i++) {
        state = step(state, secret[i]);
    }
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = (uint8_t)(state >> (i & 24)) ^ open[i];
    }
}
