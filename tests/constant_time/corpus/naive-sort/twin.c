/* The same order by a network of comparisons, whose exchanges are masked. */
#include <stdint.h>

static void order(uint8_t *left, uint8_t *right) {
    volatile uint16_t difference = (uint16_t)(*right - *left);
    uint8_t exchanged = (uint8_t)(difference >> 8) & (*left ^ *right);
    *left ^= exchanged;
    *right ^= exchanged;
}

static void sort(uint8_t *bytes, uint8_t count) {
    for (uint8_t round = 0; round < count; round++) {
        for (uint8_t i = round & 1; i + 1 < count; i += 2) {
            order(bytes + i, bytes + i + 1);
        }
    }
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = secret[i] ^ open[i];
    }
    sort(out, 16);
    sort(out + 16, 16);
}
