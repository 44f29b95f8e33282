/* One of two buffers is chosen by a secret bit, with the operator of the language. */
#include <stdint.h>

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 8; i++) {
        const uint8_t *chosen = secret[i] & 1 ? open : open + 16;
        for (uint8_t j = 0; j < 4; j++) {
            out[4 * i + j] = chosen[i + j];
        }
    }
}
