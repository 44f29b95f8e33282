/* The same products in eight steps with masks. */
#include <stdint.h>

static uint8_t hide(uint8_t value) {
    volatile uint8_t hidden = value;
    return hidden;
}

static uint8_t product(uint8_t left, uint8_t right) {
    uint8_t sum = 0;
    for (uint8_t i = 0; i < 8; i++) {
        sum ^= (uint8_t)(0u - hide(right & 1)) & left;
        left = (uint8_t)(left << 1) ^ ((uint8_t)(0u - hide(left >> 7)) & 0x1b);
        right >>= 1;
    }
    return sum;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = product(open[i], secret[i]);
    }
}
