#include "hash.h"

#include "bytes.h"
#include "rom.h"
#include "rotate.h"
#include "sha256.h"

/* FIPS 180-4, section 4.2.2. */
static const ROM uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

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
