/* The same function by additions under a mask. */
#include <stdint.h>

static uint32_t load(const uint8_t *from) {
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static uint32_t product(uint32_t left, uint32_t right) {
    uint32_t sum = 0;
    for (uint8_t i = 0; i < 32; i++) {
        volatile uint8_t bit = left & 1;
        sum += right & (0 - (uint32_t)bit);
        left >>= 1;
        right <<= 1;
    }
    return sum;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 32; i += 4) {
        uint32_t value = load(secret + i) ^ load(open + i);
        value = product(value, 2 * value + 1);
        for (uint8_t j = 0; j < 4; j++) {
            out[i + j] = (uint8_t)(value >> 8 * j);
        }
    }
}
