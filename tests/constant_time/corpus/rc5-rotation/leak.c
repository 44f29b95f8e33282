/* Half rounds of RC5, whose rotation is by a number of bits that the secret decides. */
#include <stdint.h>

static uint32_t load(const uint8_t *from) {
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static uint32_t rotated(uint32_t word, uint8_t bits) {
    bits &= 31;
    return word << bits | word >> ((32 - bits) & 31);
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
