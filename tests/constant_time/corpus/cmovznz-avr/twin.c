/* The same move without the negations; the compiler cannot know the range of the bit. */
#include <stdint.h>

static uint32_t load(const uint8_t *from) {
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static void __attribute__((noinline))
cmovznz(uint32_t *out, uint8_t bit, uint32_t zero, uint32_t nonzero) {
    volatile uint8_t hidden = bit;
    uint32_t mask = 0 - (uint32_t)hidden;
    *out = (mask & nonzero) | (~mask & zero);
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 32; i++) {
        uint32_t moved;
        cmovznz(&moved, secret[i] & 1, load(open + (i & 16)), load(open + (i & 12)));
        out[i] = (uint8_t)(moved ^ moved >> 24);
    }
}
