/* All bytes of a tag are compared, by the operator that gives 0 or 1. */
#include <stdint.h>

static uint8_t differ(const uint8_t *left, const uint8_t *right, uint8_t length) {
    uint8_t differing = 0;
    for (uint8_t i = 0; i < length; i++) {
        differing |= left[i] != right[i];
    }
    return differing;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint8_t wrong = differ(secret, open, 16);
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = open[i] ^ wrong;
    }
}
