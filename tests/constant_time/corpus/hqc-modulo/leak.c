/* Places of a word of fixed weight: secret draws modulo numbers that go down. */
#include <stdint.h>

static const volatile uint16_t parameter = 17669;

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint16_t length = parameter;
    for (uint8_t i = 0; i < 32; i += 2) {
        uint16_t drawn = (uint16_t)(secret[i] | secret[i + 1] << 8);
        uint16_t place = (uint16_t)(i + drawn % (uint16_t)(length - i));
        out[i] = (uint8_t)place ^ open[i];
        out[i + 1] = (uint8_t)(place >> 8);
    }
}
