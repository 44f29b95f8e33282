/* The product modulo 65537 of IDEA, in which 0 stands for 65536 and is treated apart. */
#include <stdint.h>

static uint16_t __attribute__((noinline)) product(uint16_t left, uint16_t right) {
    uint32_t full = (uint32_t)left * right;
    uint16_t low = (uint16_t)full, high = (uint16_t)(full >> 16);
    return (uint16_t)(low - high + (low < high));
}

static uint16_t multiplied(uint16_t left, uint16_t right) {
    if (left == 0) {
        return (uint16_t)(1u - right);
    }
    if (right == 0) {
        return (uint16_t)(1u - left);
    }
    return product(left, right);
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 32; i += 2) {
        uint16_t key = (uint16_t)((secret[i] & 0x81) << 8);
        uint16_t word = (uint16_t)(open[i] | open[i + 1] << 8);
        word = multiplied(word, key);
        out[i] = (uint8_t)word;
        out[i + 1] = (uint8_t)(word >> 8);
    }
}
