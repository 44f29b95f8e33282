/* A multiple of a point whose loop begins at the highest bit of the secret number that is set. */
#include <stdint.h>

#define MODULUS 32749

static uint16_t hide(uint16_t value) {
    volatile uint16_t hidden = value;
    return hidden;
}

static uint16_t sum(uint16_t left, uint16_t right) {
    uint16_t difference = hide((uint16_t)(left + right - MODULUS));
    return (uint16_t)(difference + (MODULUS & (0u - hide(difference >> 15))));
}

static uint16_t multiple(uint32_t number, uint16_t point) {
    uint8_t bits = 32;
    while (bits > 0 && (number & 0x80000000) == 0) {
        number <<= 1;
        bits--;
    }
    uint16_t total = 0;
    for (; bits > 0; bits--) {
        total = sum(total, total);
        total = sum(total, point & (0u - hide((uint16_t)(number >> 24) >> 7)));
        number <<= 1;
    }
    return total;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 32; i += 4) {
        uint32_t nonce = secret[i] | (uint32_t)secret[i + 1] << 8 | (uint32_t)secret[i + 2] << 16 |
                         (uint32_t)secret[i + 3] << 24;
        uint16_t result = multiple(nonce, (uint16_t)((open[i] | open[i + 1] << 8) & 0x3fff));
        out[i] = out[i + 2] = (uint8_t)result;
        out[i + 1] = out[i + 3] = (uint8_t)(result >> 8);
    }
}
