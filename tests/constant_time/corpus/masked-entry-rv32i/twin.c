/* The same pass with a mask; the compiler cannot know that it has only two values. */
#include <stdint.h>

/* 0xff for 0, else 0. */
static uint8_t is_zero(uint8_t value) {
    volatile uint16_t less_one = (uint16_t)(value - 1u);
    return (uint8_t)(less_one >> 8);
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 32; i++) {
        uint8_t kept = 0, index = secret[i] & 7;
        for (uint8_t j = 0; j < 8; j++) {
            kept |= (open[4 * j] ^ open[4 * j + 2]) & is_zero(j ^ index);
        }
        out[i] = kept;
    }
}
