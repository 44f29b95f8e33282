#include "hash.h"

#include "groestl.h"
#include "rom.h"
#include "sbox.h"

static uint8_t times_x(uint8_t a) {
    return (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
}

/* The Grøstl specification: the rows of a column that are taken four, two and one times, as
 * bits counted from the row itself. */
static const ROM uint8_t taken[3] = {0xd8, 0xa7, 0xf4};

/* The Grøstl specification: AddRoundConstant, SubBytes and ShiftBytes row by row, then
 * MixBytes column by column. */
void groestl_permute(uint8_t *state, uint8_t second) {
    for (uint8_t round = 0; round < PRIMITIVE_ROUNDS; round++) {
        for (uint8_t row = 0; row < 8; row++) {
            uint8_t moved[COLUMNS];
            uint8_t constant = row == (second ? 7 : 0) ? round : 0;
            for (uint8_t column = 0; column < COLUMNS; column++) {
                uint8_t from = (uint8_t)(8 * column + row);
                uint8_t to = (uint8_t)(column - shifts[second][row]) & (COLUMNS - 1);
                uint8_t value = state[from] ^ constant;
                moved[to] = sbox[second ? (uint8_t)~value : value];
                if (row == (second ? 7 : 0)) {
                    constant = (uint8_t)(constant + 0x10);
                }
            }
            for (uint8_t column = 0; column < COLUMNS; column++) {
                state[8 * column + row] = moved[column];
            }
        }
        for (uint8_t column = 0; column < PRIMITIVE_BLOCK_BYTES; column = (uint8_t)(column + 8)) {
            uint8_t before[8];
            for (uint8_t row = 0; row < 8; row++) {
                before[row] = state[column + row];
            }
            for (uint8_t row = 0; row < 8; row++) {
                uint8_t sum = 0;
                for (uint8_t multiple = 0; multiple < 3; multiple++) {
                    uint8_t rows = taken[multiple];
                    sum = times_x(sum);
                    for (uint8_t other = row; rows != 0; other++) {
                        if (rows & 1) {
                            sum ^= before[other & 7];
                        }
                        rows >>= 1;
                    }
                }
                state[column + row] = sum;
            }
        }
    }
}
