#include "aes.h"

static uint8_t multiply(uint8_t a, uint8_t b) {
    uint8_t product = 0;

    for (uint8_t i = 8; i > 0; i--) {
        product = (uint8_t)(xtime(product) ^ (a & (0u - (b >> 7))));
        b = (uint8_t)(b << 1);
    }
    return product;
}

/* The 254th power: its exponent is seven set bits and a clear one. */
uint8_t aes_invert(uint8_t a) {
    uint8_t power = a;

    for (uint8_t i = 6; i > 0; i--) {
        power = multiply(multiply(power, power), a);
    }
    return multiply(power, power);
}

/* The affine map adds a byte and its rotations by one to four bits. */
uint8_t aes_substitute(uint8_t a) {
    uint8_t rotated = aes_invert(a);
    uint8_t sum = rotated ^ 0x63;

    for (uint8_t i = 4; i > 0; i--) {
        rotated = (uint8_t)(rotated << 1 | rotated >> 7);
        sum ^= rotated;
    }
    return sum;
}
