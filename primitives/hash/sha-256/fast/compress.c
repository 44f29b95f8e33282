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
#define SUM0(x)      (ROTR32(x, 2) ^ ROTR32(x, 13) ^ ROTR32(x, 22))
#define SUM1(x)      (ROTR32(x, 6) ^ ROTR32(x, 11) ^ ROTR32(x, 25))
#define SIGMA0(x)    (ROTR32(x, 7) ^ ROTR32(x, 18) ^ ((x) >> 3))
#define SIGMA1(x)    (ROTR32(x, 17) ^ ROTR32(x, 19) ^ ((x) >> 10))

/* The schedule in sixteen words: those of the next sixteen steps. */
static void expand(uint32_t *w) {
    for (uint8_t i = 0; i < 16; i++) {
        uint32_t oldest = w[(i + 1) & 15];
        uint32_t newest = w[(i + 14) & 15];
        w[i] += SIGMA1(newest) + w[(i + 9) & 15] + SIGMA0(oldest);
    }
}

/* The working variables change names instead of places; eight steps bring the names back. */
#define STEP(a, b, c, d, e, f, g, h, i)                                                            \
    do {                                                                                           \
        h += SUM1(e) + CH(e, f, g) + k[i] + words[i];                                              \
        d += h;                                                                                    \
        h += SUM0(a) + MAJ(a, b, c);                                                               \
    } while (0)

/* FIPS 180-4, section 6.2.2. */
void sha256_compress(hash_context *ctx, const uint8_t *block) {
    uint32_t *w = ctx->block.words;
    uint32_t a = ctx->state[0];
    uint32_t b = ctx->state[1];
    uint32_t c = ctx->state[2];
    uint32_t d = ctx->state[3];
    uint32_t e = ctx->state[4];
    uint32_t f = ctx->state[5];
    uint32_t g = ctx->state[6];
    uint32_t h = ctx->state[7];

    for (uint8_t i = 0; i < 16; i++) {
        w[i] = load32_be(block + 4 * i);
    }
    for (uint8_t step = 0; step < 64; step = (uint8_t)(step + 8)) {
        const ROM uint32_t *k = constants + step;
        const uint32_t *words = w + (step & 8);
        if (step >= 16 && (step & 8) == 0) {
            expand(w);
        }
        STEP(a, b, c, d, e, f, g, h, 0);
        STEP(h, a, b, c, d, e, f, g, 1);
        STEP(g, h, a, b, c, d, e, f, 2);
        STEP(f, g, h, a, b, c, d, e, 3);
        STEP(e, f, g, h, a, b, c, d, 4);
        STEP(d, e, f, g, h, a, b, c, 5);
        STEP(c, d, e, f, g, h, a, b, 6);
        STEP(b, c, d, e, f, g, h, a, 7);
    }
    ctx->state[0] += a;
    ctx->state[1] += b;
    ctx->state[2] += c;
    ctx->state[3] += d;
    ctx->state[4] += e;
    ctx->state[5] += f;
    ctx->state[6] += g;
    ctx->state[7] += h;
    if (++ctx->blocks_low == 0) {
        ctx->blocks_high++;
    }
}
