/* The same move; the compiler cannot know that its mask has only two values. */
#include <stdint.h>

static uint32_t load(const uint8_t *from) {
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
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

static uint32_t cmovnz(uint32_t value, uint32_t other, uint8_t condition) {
    uint32_t wide = hide(condition);
    uint32_t mask = hide(is_negative(wide | (0 - wide))) - 1;
    return (value & mask) | (other & ~mask);
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 16; i++) {
        uint32_t moved = cmovnz(load(open), load(open + 4), secret[i] & 3);
        out[2 * i] = (uint8_t)moved;
        out[2 * i + 1] = (uint8_t)(moved >> 16);
    }
}
