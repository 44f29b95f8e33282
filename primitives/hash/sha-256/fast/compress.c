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
