#ifndef STEELYARD_SBOX_H
#define STEELYARD_SBOX_H

#include <stdint.h>

#include "rom.h"

/* RFC 3713: the other S-boxes are rotations of this one's input or output. */
static const ROM uint8_t sbox[256] = {
#define ROW(...) __VA_ARGS__,
#include "sbox.inc"
#undef ROW
};

static inline uint8_t rotate(uint8_t a) {
    return (uint8_t)(a << 1 | a >> 7);
}

static inline uint8_t rotate_back(uint8_t a) {
    return (uint8_t)(a >> 1 | a << 7);
}

#endif
