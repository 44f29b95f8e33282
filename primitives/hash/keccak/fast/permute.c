#include "hash.h"

#include "keccak.h"
#include "rom.h"
#include "rotate.h"

/* n is a constant, 1 to 63. */
#define ROTL64(x, n) ((x) << (n) | (x) >> (64 - (n)))

/* FIPS 202, section 3.2.5. */
static const ROM uint64_t constants[24] = {
    UINT64_C(0x0000000000000001), UINT64_C(0x0000000000008082), UINT64_C(0x800000000000808a),
    UINT64_C(0x8000000080008000), UINT64_C(0x000000000000808b), UINT64_C(0x0000000080000001),
    UINT64_C(0x8000000080008081), UINT64_C(0x8000000000008009), UINT64_C(0x000000000000008a),
    UINT64_C(0x0000000000000088), UINT64_C(0x0000000080008009), UINT64_C(0x000000008000000a),
    UINT64_C(0x000000008000808b), UINT64_C(0x800000000000008b), UINT64_C(0x8000000000008089),
    UINT64_C(0x8000000000008003), UINT64_C(0x8000000000008002), UINT64_C(0x8000000000000080),
    UINT64_C(0x000000000000800a), UINT64_C(0x800000008000000a), UINT64_C(0x8000000080008081),
    UINT64_C(0x8000000000008080), UINT64_C(0x0000000080000001), UINT64_C(0x8000000080008008)};

/* Theta and chi treat all bits of a lane alike, so narrow machines take them byte by byte. */
#if ROTATE_IN_STEPS
typedef uint8_t unit;
#else
typedef uint64_t unit;
#endif
#define UNITS_PER_LANE (8 / sizeof(unit))
#define ROW            (5 * UNITS_PER_LANE)

/* Rho and pi: one lane turned and put where the next one stood. */
#define MOVE(to, turn)                                                                             \
    do {                                                                                           \
        d = a[to];                                                                                 \
        a[to] = ROTL64(moving, turn);                                                              \
        moving = d;                                                                                \
    } while (0)

static inline void theta(unit *a) {
    uint64_t sums[5];
    uint64_t added[5];
    unit *to = (unit *)sums;

    for (uint8_t i = 0; i < ROW; i++) {
        const unit *from = a + i;
        *to++ = from[0] ^ from[ROW] ^ from[2 * ROW] ^ from[3 * ROW] ^ from[4 * ROW];
    }
    added[0] = sums[4] ^ ROTL64(sums[1], 1);
    added[1] = sums[0] ^ ROTL64(sums[2], 1);
    added[2] = sums[1] ^ ROTL64(sums[3], 1);
    added[3] = sums[2] ^ ROTL64(sums[4], 1);
    added[4] = sums[3] ^ ROTL64(sums[0], 1);
    for (uint8_t y = 0; y < 5; y++) {
        const unit *from = (const unit *)added;
        for (uint8_t i = 0; i < ROW; i++) {
            *a++ ^= *from++;
        }
    }
}

static inline void chi(unit *a) {
    for (uint8_t y = 0; y < 5; y++) {
        for (uint8_t i = 0; i < UNITS_PER_LANE; i++) {
            unit a0 = a[0];
            unit a1 = a[UNITS_PER_LANE];
            unit a2 = a[2 * UNITS_PER_LANE];
            unit a3 = a[3 * UNITS_PER_LANE];
            unit a4 = a[4 * UNITS_PER_LANE];
            a[0] = a0 ^ (unit)(~a1 & a2);
            a[UNITS_PER_LANE] = a1 ^ (unit)(~a2 & a3);
            a[2 * UNITS_PER_LANE] = a2 ^ (unit)(~a3 & a4);
            a[3 * UNITS_PER_LANE] = a3 ^ (unit)(~a4 & a0);
            a[4 * UNITS_PER_LANE] = a4 ^ (unit)(~a0 & a1);
            a++;
        }
        a += 4 * UNITS_PER_LANE;
    }
}

/* FIPS 202, section 3.3. */
void keccak_permute(uint64_t *a) {
    for (uint8_t round = 0; round < PRIMITIVE_ROUNDS; round++) {
        theta((unit *)a);
        uint64_t moving = a[1];
        uint64_t d;
        MOVE(10, 1);
        MOVE(7, 3);
        MOVE(11, 6);
        MOVE(17, 10);
        MOVE(18, 15);
        MOVE(3, 21);
        MOVE(5, 28);
        MOVE(16, 36);
        MOVE(8, 45);
        MOVE(21, 55);
        MOVE(24, 2);
        MOVE(4, 14);
        MOVE(15, 27);
        MOVE(23, 41);
        MOVE(19, 56);
        MOVE(13, 8);
        MOVE(12, 25);
        MOVE(2, 43);
        MOVE(20, 62);
        MOVE(14, 18);
        MOVE(22, 39);
        MOVE(9, 61);
        MOVE(6, 20);
        MOVE(1, 44);
        chi((unit *)a);
        a[0] ^= constants[round];
    }
}
