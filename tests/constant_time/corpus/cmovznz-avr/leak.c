/* A move if a bit is not zero; the bit is first made from a word by two negations. */
#include <stdint.h>

static uint32_t load(const uint8_t *from) {
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static void __attribute__((noinline))
cmovznz(uint32_t *out, uint8_t bit, uint32_t zero, uint32_t nonzero) {
    uint8_t truth = !!bit;
    uint32_t mask = 0 - (uint32_t)truth;
    *out = (mask & nonzero) | (~mask & zero);
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 32; i++) {
        uint32_t moved;
        cmovznz(&moved, secret[i] & 1, load(open + (i & 16)), load(open + (i & 12)));
        out[i] = (uint8_t)(moved ^ moved >> 24);
    }
}
