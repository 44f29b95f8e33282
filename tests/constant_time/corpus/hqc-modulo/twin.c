/* The same remainders by subtractions under a mask, one for every bit. */
#include <stdint.h>

#define LENGTH 17669

static uint16_t hide(uint16_t value) {
    volatile uint16_t hidden = value;
    return hidden;
}

/* The divisor is above 2^14, so that the quotient is at most 3. */
static uint16_t remainder_of(uint16_t value, uint16_t divisor) {
    for (uint8_t i = 0; i < 3; i++) {
        uint32_t difference = (uint32_t)value - divisor;
        uint16_t negative = hide((uint16_t)(difference >> 16)) & 1;
        value = (uint16_t)(value - (divisor & (hide(negative) - 1u)));
    }
    return value;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 32; i += 2) {
        uint16_t drawn = (uint16_t)(secret[i] | secret[i + 1] << 8);
        uint16_t place = (uint16_t)(i + remainder_of(drawn, (uint16_t)(LENGTH - i)));
        out[i] = (uint8_t)place ^ open[i];
        out[i + 1] = (uint8_t)(place >> 8);
    }
}
