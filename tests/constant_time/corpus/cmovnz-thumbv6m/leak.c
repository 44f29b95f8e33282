/* A conditional move by a mask that is made from the condition alone. */
#include <stdint.h>

static uint32_t load(const uint8_t *from) {
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static uint32_t cmovnz(uint32_t value, uint32_t other, uint8_t condition) {
    uint32_t wide = condition;
    uint32_t mask = ((wide | (0 - wide)) >> 31) - 1;
    return (value & mask) | (other & ~mask);
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 16; i++) {
        uint32_t moved = cmovnz(load(open), load(open + 4), secret[i] & 3);
        out[2 * i] = (uint8_t)moved;
        out[2 * i + 1] = (uint8_t)(moved >> 16);
    }
}
