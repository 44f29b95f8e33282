#ifndef STEELYARD_TWOFISH_MATRIX_H
#define STEELYARD_TWOFISH_MATRIX_H

#include <stdint.h>

/* In the field of the matrix (specification, function h), modulo x^8 + x^6 + x^5 + x^3 + 1: 0x5b
 * is 1 + x^-2 and 0xef is 1 + x^-1 + x^-2. */
static inline uint8_t twofish_halve(uint8_t a) {
    return (uint8_t)(a >> 1 ^ (0xb4 & (0u - (a & 1u))));
}

#endif
