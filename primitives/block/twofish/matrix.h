#ifndef STEELYARD_TWOFISH_MATRIX_H
#define STEELYARD_TWOFISH_MATRIX_H

#include <stdint.h>

#include "inline.h"

/* In the field of the matrix (specification, function h), modulo x^8 + x^6 + x^5 + x^3 + 1: 0x5b
 * is 1 + x^-2 and 0xef is 1 + x^-1 + x^-2. */
ALWAYS_INLINE uint8_t twofish_halve(uint8_t a) {
    return (uint8_t)(a >> 1 ^ (0xb4 & (0u - (a & 1u))));
}

ALWAYS_INLINE uint8_t twofish_times_5b(uint8_t a) {
    return (uint8_t)(a ^ twofish_halve(twofish_halve(a)));
}

ALWAYS_INLINE uint8_t twofish_times_ef(uint8_t a) {
    uint8_t half = twofish_halve(a);

    return (uint8_t)(a ^ half ^ twofish_halve(half));
}

#endif
