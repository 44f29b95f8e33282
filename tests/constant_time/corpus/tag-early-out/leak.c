/* A computed tag is compared with a received one up to the first byte that differs. */
#include <stdint.h>

static uint8_t equal(const uint8_t *left, const uint8_t *right, uint8_t length) {
    for (uint8_t i = 0; i < length; i++) {
        if (left[i] != right[i]) {
            return 0;
        }
    }
    return 1;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint8_t valid = equal(secret, open, 16);
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = open[i] ^ valid;
    }
}
