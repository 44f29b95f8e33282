#include "hash.h"

#include "bytes.h"
#include "constants.h"
#include "rom.h"
#include "sha512.h"
#include "word64.h"

/* FIPS 180-4, section 4.1.3; Ch and Maj in forms that need one operation less. */
#define CH(x, y, z)  ((z) ^ ((x) & ((y) ^ (z))))
#define MAJ(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))

/* x rotated right by n, by whole bytes and then single bits. */
static uint64_t rotr(uint64_t x, uint8_t n) {
    for (; n >= 8; n = (uint8_t)(n - 8)) {
        x = ROTR64(x, 8);
    }
    for (; n > 0; n--) {
        x = ROTR64(x, 1);
    }
    return x;
}

/* The rotations of the four functions of section 4.1.3: the last distance is a shift in two. */
static uint64_t two_rotations(uint64_t x, uint8_t first, uint8_t second) {
    return rotr(x, first) ^ rotr(x, second);
}

/* FIPS 180-4, section 6.4.2, the schedule in sixteen words; v holds a to h. */
void sha512_compress(hash_context *ctx, const uint8_t *block) {
    uint64_t *w = ctx->block.words;
    uint64_t v[8];

    for (uint8_t i = 0; i < 8; i++) {
        v[i] = ctx->state[i];
    }
    for (uint8_t i = 0; i < 16; i++) {
        w[i] = load64_be(block + 8 * i);
    }
    for (uint8_t step = 0; step < 80; step++) {
        uint64_t *word = w + (step & 15);
        uint64_t t;
        if (step >= 16) {
            uint64_t oldest = w[(step + 1) & 15];
            uint64_t newest = w[(step + 14) & 15];
            *word += w[(step + 9) & 15] + (two_rotations(oldest, 1, 8) ^ oldest >> 7) +
                     (two_rotations(newest, 19, 61) ^ newest >> 6);
        }
        t = v[7] + (two_rotations(v[4], 14, 18) ^ rotr(v[4], 41)) + CH(v[4], v[5], v[6]) +
            constants[step] + *word;
        v[3] += t;
        t += (two_rotations(v[0], 28, 34) ^ rotr(v[0], 39)) + MAJ(v[0], v[1], v[2]);
        for (uint8_t i = 7; i > 0; i--) {
            v[i] = v[i - 1];
        }
        v[0] = t;
    }
    for (uint8_t i = 0; i < 8; i++) {
        ctx->state[i] += v[i];
    }
    if (++ctx->blocks_low == 0) {
        ctx->blocks_high++;
    }
}
