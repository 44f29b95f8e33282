#include "seed.h"

#include "sboxes.h"

/* Every byte of the result is the sum of the four substituted ones, each without two of its bits;
 * mask has the bits left of the byte at hand in all four. */
static uint32_t spread(uint8_t y) {
    uint32_t pair = (uint32_t)y << 8 | y;

    return pair << 16 | pair;
}

uint32_t seed_g(uint32_t x) {
    uint32_t mask = UINT32_C(0x3FCFF3FC);
    uint32_t sum = 0;

    for (uint8_t i = 0; i < 4; i++) {
        sum ^= spread(i & 1 ? s2[(uint8_t)x] : s1[(uint8_t)x]) & mask;
        mask = mask >> 8 | mask << 24;
        x >>= 8;
    }
    return sum;
}
