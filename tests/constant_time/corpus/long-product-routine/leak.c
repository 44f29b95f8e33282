/* A runtime's product of wide numbers, which is shorter if both high halves are zero. */
#include <stdint.h>

static uint16_t __attribute__((noinline)) half(uint8_t left, uint8_t right) {
    uint16_t sum = 0;
    for (uint8_t i = 0; i < 8; i++) {
        volatile uint8_t bit = right >> 7;
        sum = (uint16_t)(sum << 1);
        sum = (uint16_t)(sum + (left & (0u - bit)));
        right = (uint8_t)(right << 1);
    }
    return sum;
}

static uint16_t product(uint16_t left, uint16_t right) {
    uint8_t left_high = (uint8_t)(left >> 8), right_high = (uint8_t)(right >> 8);
    uint16_t low = half((uint8_t)left, (uint8_t)right);
    if ((left_high | right_high) == 0) {
        return low;
    }
    uint16_t middle = half(left_high, (uint8_t)right);
    middle = (uint16_t)(middle + half((uint8_t)left, right_high));
    return (uint16_t)(low + (middle << 8));
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 32; i += 2) {
        uint16_t value = (uint16_t)(secret[i] | (secret[i + 1] & 1) << 8);
        uint16_t result = product(value, open[i]);
        out[i] = (uint8_t)result;
        out[i + 1] = (uint8_t)(result >> 8);
    }
}
