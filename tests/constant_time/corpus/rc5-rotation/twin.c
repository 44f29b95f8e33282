/* The same rotation in five constant ones, each kept or dropped by a mask. */
#include <stdint.h>

static uint32_t load(const uint8_t *from) {
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static uint32_t hide(uint32_t value) {
    volatile uint32_t hidden = value;
    return hidden;
}

static uint32_t chosen(uint32_t word, uint32_t turned, uint8_t bit) {
    return word ^ ((word ^ turned) & (0 - hide(bit & 1)));
}

static uint32_t rotated(uint32_t word, uint8_t bits) {
    word = chosen(word, word << 1 | word >> 31, bits);
    word = chosen(word, word << 2 | word >> 30, bits >> 1);
    word = chosen(word, word << 4 | word >> 28, bits >> 2);
    word = chosen(word, word << 8 | word >> 24, bits >> 3);
    return chosen(word, word << 16 | word >> 16, bits >> 4);
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint32_t left = load(open), right = load(open + 4);
    for (uint8_t i = 0; i < 32; i += 4) {
        uint32_t sum = rotated(left ^ right, (uint8_t)right) + load(secret + i);
        left = right;
        right = sum;
        for (uint8_t j = 0; j < 4; j++) {
            out[i + j] = (uint8_t)(sum >> 8 * j);
        }
    }
}
