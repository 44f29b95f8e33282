#include "hash.h"

#include "keccak.h"
#include "rom.h"

/* FIPS 202, sections 3.2.2 and 3.2.3: where pi takes a lane, from lane 1 on, and how far rho turns
 * it on the way. */
static const ROM uint8_t lane_of[24] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                                        15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};
static const ROM uint8_t turn_of[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                                        27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};

/* x rotated left by n, by whole bytes and then single bits. */
static uint64_t rotl(uint64_t x, uint8_t n) {
    for (; n >= 8; n = (uint8_t)(n - 8)) {
        x = x << 8 | x >> 56;
    }
    for (; n > 0; n--) {
        x = x << 1 | x >> 63;
    }
    return x;
}

/* FIPS 202, section 3.3, the round constants from the shift register of section 3.2.5. */
void keccak_permute(uint64_t *a) {
    uint64_t column[5];
    uint8_t lfsr = 1;

    for (uint8_t round = 0; round < PRIMITIVE_ROUNDS; round++) {
        for (uint8_t x = 0; x < 5; x++) {
            column[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
        }
        uint8_t before = 4;
        for (uint8_t x = 0; x < 5; x++) {
            uint8_t after = x == 4 ? 0 : (uint8_t)(x + 1);
            uint64_t d = column[before] ^ rotl(column[after], 1);
            for (uint8_t y = 0; y < 25; y = (uint8_t)(y + 5)) {
                a[x + y] ^= d;
            }
            before = x;
        }
        uint64_t moving = a[1];
        for (uint8_t t = 0; t < 24; t++) {
            uint8_t to = lane_of[t];
            uint64_t next = a[to];
            a[to] = rotl(moving, turn_of[t]);
            moving = next;
        }
        for (uint8_t y = 0; y < 25; y = (uint8_t)(y + 5)) {
            uint64_t first = a[y];
            uint64_t second = a[y + 1];
            for (uint8_t x = 0; x < 3; x++) {
                a[y + x] ^= ~a[y + x + 1] & a[y + x + 2];
            }
            a[y + 3] ^= ~a[y + 4] & first;
            a[y + 4] ^= ~first & second;
        }
        for (uint8_t place = 1; place < 128; place = (uint8_t)(place << 1)) {
            if (lfsr & 1) {
                uint8_t bit = (uint8_t)(place - 1);
                uint8_t *byte = (uint8_t *)a + lane_byte(bit >> 3);
                *byte = (uint8_t)(*byte ^ 1 << (bit & 7));
            }
            lfsr = (uint8_t)(lfsr << 1 ^ (lfsr & 0x80 ? 0x71 : 0));
        }
    }
}
