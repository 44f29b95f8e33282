/* Coefficients of a polynomial from the bits of a message, by a mask. */
#include <stdint.h>

#define MODULUS 3329
#define BYTES   8

static void __attribute__((noinline)) from_message(int16_t *polynomial, const uint8_t *message) {
    for (uint8_t i = 0; i < BYTES; i++) {
        for (uint8_t j = 0; j < 8; j++) {
            int16_t mask = (int16_t)(-(int16_t)((message[i] >> j) & 1));
            polynomial[8 * i + j] = mask & ((MODULUS + 1) / 2);
        }
    }
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    int16_t polynomial[8 * BYTES];
    for (uint8_t i = 0; i < 32; i += BYTES) {
        from_message(polynomial, secret + i);
        for (uint8_t j = 0; j < BYTES; j++) {
            uint8_t sum = open[i + j];
            for (uint8_t k = 0; k < 8; k++) {
                sum = (uint8_t)(sum << 1 | sum >> 7);
                sum = (uint8_t)(sum + (uint16_t)polynomial[8 * j + k]);
            }
            out[i + j] = sum;
        }
    }
}
