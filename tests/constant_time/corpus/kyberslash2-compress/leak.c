/* Secret coefficients of 12 bits are rounded to 4 bits by division by a constant. */
#include <stdint.h>

#define MODULUS 3329

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 16; i++) {
        uint16_t coefficient = (uint16_t)(secret[2 * i] | (secret[2 * i + 1] & 15) << 8);
        out[i] = (uint8_t)((((uint32_t)coefficient << 4) + MODULUS / 2) / MODULUS & 15);
        out[16 + i] = open[i];
    }
}
