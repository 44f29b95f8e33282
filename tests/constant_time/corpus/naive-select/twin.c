/* Both buffers are read, and a mask chooses. */
#include <stdint.h>

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 8; i++) {
        volatile uint8_t bit = secret[i] & 1;
        uint8_t mask = (uint8_t)(0u - bit);
        for (uint8_t j = 0; j < 4; j++) {
            out[4 * i + j] = (open[i + j] & mask) | (open[16 + i + j] & (uint8_t)~mask);
        }
    }
}
