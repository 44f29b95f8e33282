/* A message's bits from secret coefficients, by division by a modulus that is a parameter. */
#include <stdint.h>

static const volatile uint16_t parameter = 3329;

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint16_t modulus = parameter;
    for (uint8_t i = 0; i < 16; i++) {
        uint16_t coefficient = (uint16_t)(secret[2 * i] | (secret[2 * i + 1] & 15) << 8);
        uint32_t rounded = ((uint32_t)coefficient << 1) + modulus / 2;
        out[i] = (uint8_t)((rounded / modulus & 1) ^ open[i]);
        out[16 + i] = open[16 + i];
    }
}
