/* A decapsulation returns one of two keys after the comparison of ciphertexts, by branches. */
#include <stdint.h>

static uint8_t differ(const uint8_t *left, const uint8_t *right, uint8_t length) {
    for (uint8_t i = 0; i < length; i++) {
        if (left[i] != right[i]) {
            return 1;
        }
    }
    return 0;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    if (differ(secret, open, 24)) {
        for (uint8_t i = 0; i < 32; i++) {
            out[i] = secret[31 - i];
        }
    } else {
        for (uint8_t i = 0; i < 32; i++) {
            out[i] = secret[i] ^ open[31 - i];
        }
    }
}
