#include "hash.h"

#include "bytes.h"
#include "constants.h"
#include "rom.h"
#include "sha512.h"
#include "word64.h"

/* FIPS 180-4, section 4.1.3; Ch and Maj in forms that need one operation less. */
#define CH(x, y, z)  ((z) ^ ((x) & ((y) ^ (z))))
#define MAJ(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))
#define SUM0(x)      (ROTR64(x, 28) ^ ROTR64(x, 34) ^ ROTR64(x, 39))
#define SUM1(x)      (ROTR64(x, 14) ^ ROTR64(x, 18) ^ ROTR64(x, 41))
#define SIGMA0(x)    (ROTR64(x, 1) ^ ROTR64(x, 8) ^ ((x) >> 7))
#define SIGMA1(x)    (ROTR64(x, 19) ^ ROTR64(x, 61) ^ ((x) >> 6))

/* The schedule in sixteen words: those of the next sixteen steps. */
static void expand(uint64_t *w) {
    for (uint8_t i = 0; i < 16; i++) {
        uint64_t oldest = w[(i + 1) & 15];
        uint64_t newest = w[(i + 14) & 15];
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

/* FIPS 180-4, section 6.4.2. */
void sha512_compress(hash_context *ctx, const uint8_t *block) {
    uint64_t *w = ctx->block.words;
    uint64_t a = ctx->state[0];
    uint64_t b = ctx->state[1];
    uint64_t c = ctx->state[2];
    uint64_t d = ctx->state[3];
    uint64_t e = ctx->state[4];
    uint64_t f = ctx->state[5];
    uint64_t g = ctx->state[6];
    uint64_t h = ctx->state[7];

    for (uint8_t i = 0; i < 16; i++) {
        w[i] = load64_be(block + 8 * i);
    }
    for (uint8_t step = 0; step < 80; step = (uint8_t)(step + 8)) {
        const ROM uint64_t *k = constants + step;
        const uint64_t *words = w + (step & 8);
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
