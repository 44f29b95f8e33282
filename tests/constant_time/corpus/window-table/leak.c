/* Windows of a secret exponent are indices of a table of precomputed values. */
#include <stdint.h>

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint32_t table[16], value = 0;
    for (uint8_t i = 0; i < 16; i++) {
        table[i] = (uint32_t)open[i] << 20 ^ open[i + 16];
    }
    for (uint8_t i = 0; i < 32; i++) {
        value = (value << 7 | value >> 25) + table[secret[i] >> 4];
        value = (value << 7 | value >> 25) + table[secret[i] & 15];
        out[i] = (uint8_t)(value ^ value >> 16);
    }
}
