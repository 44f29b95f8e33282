/* All bytes are compared; the answer is the carry of a subtraction. */
#include <stdint.h>

static uint8_t equal(const uint8_t *left, const uint8_t *right, uint8_t length) {
    volatile uint8_t differing = 0;
    for (uint8_t i = 0; i < length; i++) {
        differing |= left[i] ^ right[i];
    }
    volatile uint16_t less_one = (uint16_t)(differing - 1u);
    return (uint8_t)(less_one >> 15);
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint8_t valid = equal(secret, open, 16);
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = open[i] ^ valid;
    }
}
