/* The same quotients by five subtractions under a mask. */
#include <stdint.h>

#define MODULUS 3329

/* 1 for a number below 0 in two's complement. */
static uint8_t is_negative(uint32_t value) {
    volatile uint8_t byte = (uint8_t)(value >> 24);
    return byte >> 7;
}

static uint32_t hide(uint32_t value) {
    volatile uint32_t hidden = value;
    return hidden;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 16; i++) {
        uint16_t coefficient = (uint16_t)(secret[2 * i] | (secret[2 * i + 1] & 15) << 8);
        uint32_t rest = ((uint32_t)coefficient << 4) + MODULUS / 2;
        uint32_t divisor = (uint32_t)MODULUS << 4;
        uint8_t quotient = 0;
        for (uint8_t j = 0; j < 5; j++) {
            uint32_t borrow = hide(is_negative(rest - divisor));
            rest -= divisor & (borrow - 1);
            quotient = (uint8_t)(quotient << 1 | (borrow ^ 1));
            divisor >>= 1;
        }
        out[i] = quotient & 15;
        out[16 + i] = open[i];
    }
}
