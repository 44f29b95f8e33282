/* All values are drawn, and each is written to all places under a mask. */
#include <stdint.h>

#define LIMIT 200
#define COUNT 8

/* 0xff for a value below the limit, else 0. */
static uint8_t below(uint8_t value, uint8_t limit) {
    volatile uint16_t difference = (uint16_t)(value - limit);
    return (uint8_t)(difference >> 8);
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = open[i];
    }
    uint8_t taken = 0;
    for (uint8_t i = 0; i < 32; i++) {
        uint8_t drawn = secret[i] ^ open[i];
        uint8_t accepted = below(drawn, LIMIT);
        for (uint8_t j = 0; j < COUNT; j++) {
            out[j] ^= drawn & accepted & below(j ^ taken, 1);
        }
        taken = (uint8_t)(taken + (accepted & 1));
    }
}
