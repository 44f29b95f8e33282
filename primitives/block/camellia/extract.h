#ifndef STEELYARD_EXTRACT_H
#define STEELYARD_EXTRACT_H

#include <stdint.h>

/* The 64 bits of a 128-bit string from bit on, going round. */
static void extract(uint8_t *to, const uint8_t *from, uint8_t bit) {
    uint8_t at = bit / 8;
    uint8_t shift = bit & 7;

    for (uint8_t i = 0; i < 8; i++) {
        uint16_t pair = (uint16_t)((uint16_t)from[at] << 8);
        at = (uint8_t)(at + 1) & 15;
        pair |= from[at];
        to[i] = (uint8_t)(pair >> (8 - shift));
    }
}

#endif
