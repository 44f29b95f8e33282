/* A row of a product of large numbers in words of 31 bits, by products of 62 bits. */
#include <stdint.h>

static uint32_t load(const uint8_t *from) {
    return (from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24) &
           0x7fffffff;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint32_t factor = load(open) ^ load(secret + 28), carry = 0;
    for (uint8_t i = 0; i < 32; i += 4) {
        uint64_t sum = (uint64_t)load(secret + i) * factor + carry;
        uint32_t word = (uint32_t)sum & 0x7fffffff;
        carry = (uint32_t)(sum >> 31);
        for (uint8_t j = 0; j < 4; j++) {
            out[i + j] = (uint8_t)(word >> 8 * j);
        }
    }
}
