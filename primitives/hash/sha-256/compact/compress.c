#include "hash.h"

#include "bytes.h"
#include "constants.h"
#include "rom.h"
#include "rotate.h"
#include "sha256.h"

#define ROTR32(x, n) rotl32(x, 32 - (n))

/* FIPS 180-4, section 4.1.2; Ch and Maj in forms that need one operation less. */
#define CH(x, y, z)  ((z) ^ ((x) & ((y) ^ (z))))
#define MAJ(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))

static uint32_t rotr(uint32_t x, uint8_t n) {
    return rotr32_variable(x, n);
}

/* The rotations of the four functions of section 4.1.2: the last distance is a shift in two. */
static uint32_t two_rotations(uint32_t x, uint8_t first, uint8_t second) {
    return rotr(x, first) ^ rotr(x, second);
}

/* FIPS 180-4, section 6.2.2, the schedule in sixteen words; v holds a to h. */
void sha256_compress(hash_context *ctx, const uint8_t *block) {
    uint32_t *w = ctx->block.words;
    uint32_t v[8];

    for (uint8_t i = 0; i < 8; i++) {
        v[i] = ctx->state[i];
    }
    for (uint8_t i = 0; i < 16; i++) {
        w[i] = load32_be(block + 4 * i);
    }
    for (uint8_t step = 0; step < 64; step++) {
        uint32_t *word = w + (step & 15);
        uint32_t t;
        if (step >= 16) {
            uint32_t oldest = w[(step + 1) & 15];
            uint32_t newest = w[(step + 14) & 15];
            *word += w[(step + 9) & 15] + (two_rotations(oldest, 7, 18) ^ oldest >> 3) +
                     (two_rotations(newest, 17, 19) ^ newest >> 10);
        }
        t = v[7] + (two_rotations(v[4], 6, 11) ^ rotr(v[4], 25)) + CH(v[4], v[5], v[6]) +
            constants[step] + *word;
        v[3] += t;
        t += (two_rotations(v[0], 2, 13) ^ rotr(v[0], 22)) + MAJ(v[0], v[1], v[2]);
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
