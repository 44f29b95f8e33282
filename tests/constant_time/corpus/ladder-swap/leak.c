/* A ladder whose two values change places if a bit of the secret scalar is set. */
#include <stdint.h>

#define BYTES 8

static void step(uint8_t *left, uint8_t *right, const uint8_t *open) {
    uint8_t carry = 0;
    for (uint8_t i = 0; i < BYTES; i++) {
        uint16_t sum = (uint16_t)(left[i] + right[i] + carry);
        right[i] = (uint8_t)(left[i] << 1 | left[i] >> 7) ^ open[i];
        left[i] = (uint8_t)sum;
        carry = (uint8_t)(sum >> 8);
    }
}

static void swap(uint8_t *left, uint8_t *right) {
    for (uint8_t i = 0; i < BYTES; i++) {
        uint8_t kept = left[i];
        left[i] = right[i];
        right[i] = kept;
    }
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint8_t left[BYTES], right[BYTES];
    for (uint8_t i = 0; i < BYTES; i++) {
        left[i] = open[i];
        right[i] = open[16 + i];
    }
    for (uint8_t i = 0; i < 32; i++) {
        if (secret[i] & 1) {
            swap(left, right);
        }
        step(left, right, open);
        out[i] = left[i & (BYTES - 1)];
    }
}
