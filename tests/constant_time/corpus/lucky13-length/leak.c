/* A checksum over a record without its padding; the secret padding decides how many steps it has.
 */
#include <stdint.h>

static uint32_t step(uint32_t state, uint8_t byte) {
    state ^= byte;
    state = (state << 5 | state >> 27) + 0x9e3779b9;
    return state ^ state >> 16;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint8_t length = 31 - (secret[31] & 15);
    uint32_t state = open[0];
    for (uint8_t i = 0; i < length; i++) {
        state = step(state, secret[i]);
    }
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = (uint8_t)(state >> (i & 24)) ^ open[i];
    }
}
