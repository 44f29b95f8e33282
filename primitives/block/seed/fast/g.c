#include "seed.h"

#include "sboxes.h"

/* Each byte of the result is the sum of the four substituted ones, of which each leaves out two
 * bits: its two for the result's lowest byte, and two further on for every next one. */
uint32_t seed_g(uint32_t x) {
    uint8_t y0 = s1[(uint8_t)x];
    uint8_t y1 = s2[(uint8_t)(x >> 8)];
    uint8_t y2 = s1[(uint8_t)(x >> 16)];
    uint8_t y3 = s2[x >> 24];
    uint8_t all = y0 ^ y1 ^ y2 ^ y3;
    uint8_t z0 = (uint8_t)(all ^ (y0 & 0x03) ^ (y1 & 0x0c) ^ (y2 & 0x30) ^ (y3 & 0xc0));
    uint8_t z1 = (uint8_t)(all ^ (y0 & 0x0c) ^ (y1 & 0x30) ^ (y2 & 0xc0) ^ (y3 & 0x03));
    uint8_t z2 = (uint8_t)(all ^ (y0 & 0x30) ^ (y1 & 0xc0) ^ (y2 & 0x03) ^ (y3 & 0x0c));
    uint8_t z3 = (uint8_t)(all ^ (y0 & 0xc0) ^ (y1 & 0x03) ^ (y2 & 0x0c) ^ (y3 & 0x30));

    return (uint32_t)z0 | (uint32_t)z1 << 8 | (uint32_t)z2 << 16 | (uint32_t)z3 << 24;
}
