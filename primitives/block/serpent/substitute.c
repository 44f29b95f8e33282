#include "rom.h"
#include "serpent.h"

/* The specification's S-boxes. */
const ROM uint8_t serpent_sboxes[8][16] = {
    {3, 8, 15, 1, 10, 6, 5, 11, 14, 13, 4, 2, 7, 0, 9, 12},
    {15, 12, 2, 7, 9, 0, 5, 10, 1, 11, 14, 8, 6, 13, 3, 4},
    {8, 6, 7, 9, 3, 12, 10, 15, 13, 1, 14, 4, 0, 11, 5, 2},
    {0, 15, 11, 8, 12, 9, 6, 3, 13, 1, 2, 4, 10, 7, 5, 14},
    {1, 15, 8, 3, 12, 0, 11, 6, 2, 5, 4, 10, 9, 14, 7, 13},
    {15, 5, 2, 11, 4, 10, 9, 12, 0, 3, 14, 8, 13, 6, 7, 1},
    {7, 2, 12, 5, 8, 4, 6, 11, 14, 9, 1, 15, 13, 3, 10, 0},
    {1, 13, 15, 0, 14, 8, 2, 11, 7, 4, 12, 10, 9, 3, 5, 6},
};

/* The S-box works on the bits of the four words that are at the same place. Bytes of the words in
 * memory are all alike here, whatever their order. */
void serpent_substitute(uint32_t *x, const ROM uint8_t *sbox) {
    uint8_t *bytes = (uint8_t *)x;

    for (uint8_t lane = 0; lane < 4; lane++) {
        uint8_t a = bytes[lane];
        uint8_t b = bytes[lane + 4];
        uint8_t c = bytes[lane + 8];
        uint8_t d = bytes[lane + 12];
        for (uint8_t bit = 0; bit < 8; bit++) {
            uint8_t nibble = sbox[(a & 1) | (uint8_t)((b & 1) << 1) | (uint8_t)((c & 1) << 2) |
                                  (uint8_t)((d & 1) << 3)];
            a = (uint8_t)(a >> 1 | (nibble & 1) << 7);
            b = (uint8_t)(b >> 1 | (nibble & 2) << 6);
            c = (uint8_t)(c >> 1 | (nibble & 4) << 5);
            d = (uint8_t)(d >> 1 | (nibble & 8) << 4);
        }
        bytes[lane] = a;
        bytes[lane + 4] = b;
        bytes[lane + 8] = c;
        bytes[lane + 12] = d;
    }
}
