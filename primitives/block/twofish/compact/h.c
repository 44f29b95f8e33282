#include "twofish.h"

#include "bytes.h"
#include "matrix.h"

/* The rows of the matrix: 0 for 0x01, 1 for 0x5b, 2 for 0xef, two bits for each byte from the
 * lowest. */
static const ROM uint8_t rows[4] = {0x58, 0x29, 0x86, 0x62};

uint32_t twofish_h(uint32_t x, const uint8_t *list) {
    uint8_t y[4];
    uint8_t z[4];

    store32_le(y, x);
    twofish_permute(y, list);
    for (uint8_t j = 0; j < 4; j++) {
        uint8_t row = rows[j];
        z[j] = 0;
        for (uint8_t i = 0; i < 4; i++) {
            uint8_t half = twofish_halve(y[i]);
            z[j] ^= y[i];
            if (row & 2) {
                z[j] ^= half;
            }
            if (row & 3) {
                z[j] ^= twofish_halve(half);
            }
            row >>= 2;
        }
    }
    return load32_le(z);
}
