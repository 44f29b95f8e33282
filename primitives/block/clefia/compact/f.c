#include "clefia.h"

#include "rom.h"
#include "sboxes.h"

/* F0 and F1 begin with different S-boxes and have the rows 1 2 4 6 and 1 8 2 a in their matrices,
 * where the element for input i and output j is number i xor j of the row. */
static const ROM uint8_t rows[2][4] = {{1, 2, 4, 6}, {1, 8, 2, 10}};

static void add_f(uint8_t *y, const uint8_t *x, const uint8_t *key, uint8_t which) {
    uint8_t t[4];

    for (uint8_t i = 0; i < 4; i++) {
        uint8_t at = x[i] ^ key[i];
        t[i] = (i ^ which) & 1 ? s1[at] : s0[at];
    }
    for (uint8_t j = 0; j < 4; j++) {
        uint8_t sum = 0;
        for (uint8_t bit = 8; bit > 0; bit >>= 1) {
            sum = xtime(sum);
            for (uint8_t i = 0; i < 4; i++) {
                if (rows[which][i ^ j] & bit) {
                    sum ^= t[i];
                }
            }
        }
        y[j] ^= sum;
    }
}

void clefia_add_f0(uint8_t *y, const uint8_t *x, const uint8_t *key) {
    add_f(y, x, key, 0);
}

void clefia_add_f1(uint8_t *y, const uint8_t *x, const uint8_t *key) {
    add_f(y, x, key, 1);
}
