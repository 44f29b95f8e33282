#include "hash.h"

#include "groestl.h"
#include "inline.h"
#include "sbox.h"

ALWAYS_INLINE uint8_t times_x(uint8_t a) {
    return (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
}

/* MixBytes of one column, from the Grøstl specification: the multiples by 4, 2 and 1 are summed
 * apart, so that two multiplications by x serve a row. */
#define ROW(i, to)                                                                                 \
    do {                                                                                           \
        uint8_t sum = pair[((i) + 3) & 7] ^ pair[((i) + 6) & 7];                                   \
        sum = times_x(sum) ^ pair[(i)] ^ a[((i) + 2) & 7] ^ a[((i) + 5) & 7] ^ a[((i) + 7) & 7];   \
        (to)[i] = times_x(sum) ^ a[((i) + 2) & 7] ^ pair[((i) + 4) & 7] ^ pair[((i) + 6) & 7];     \
    } while (0)

static inline void mix(uint8_t *to, const uint8_t *a) {
    uint8_t pair[8];

    for (uint8_t i = 0; i < 7; i++) {
        pair[i] = a[i] ^ a[i + 1];
    }
    pair[7] = a[7] ^ a[0];
    ROW(0, to);
    ROW(1, to);
    ROW(2, to);
    ROW(3, to);
    ROW(4, to);
    ROW(5, to);
    ROW(6, to);
    ROW(7, to);
}

void groestl_permute(uint8_t *state, uint8_t second) {
    uint8_t from[PRIMITIVE_BLOCK_BYTES];
    uint8_t start[8];

    for (uint8_t row = 0; row < 8; row++) {
        start[row] = (uint8_t)(8 * shifts[second][row] + row);
    }
    for (uint8_t round = 0; round < PRIMITIVE_ROUNDS; round++) {
        uint8_t constant = round;
        uint8_t *to = state;
        for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i = (uint8_t)(i + 8)) {
            if (second) {
                for (uint8_t row = 0; row < 7; row++) {
                    from[i + row] = sbox[(uint8_t)~state[i + row]];
                }
                from[i + 7] = sbox[(uint8_t) ~(state[i + 7] ^ constant)];
            } else {
                from[i] = sbox[state[i] ^ constant];
                for (uint8_t row = 1; row < 8; row++) {
                    from[i + row] = sbox[state[i + row]];
                }
            }
            constant = (uint8_t)(constant + 0x10);
        }
        for (uint8_t i = 0; i < PRIMITIVE_BLOCK_BYTES; i = (uint8_t)(i + 8)) {
            uint8_t column[8];
            for (uint8_t row = 0; row < 8; row++) {
                column[row] = from[(uint8_t)(i + start[row]) & (PRIMITIVE_BLOCK_BYTES - 1)];
            }
            mix(to, column);
            to += 8;
        }
    }
}
