#include "hash.h"

#include "bytes.h"
#include "rotate.h"
#include "sha1.h"

/* FIPS 180-4, section 4.1.1; Ch and Maj in forms that need one operation less. */
#define CH(x, y, z)     ((z) ^ ((x) & ((y) ^ (z))))
#define PARITY(x, y, z) ((x) ^ (y) ^ (z))
#define MAJ(x, y, z)    (((x) & (y)) | ((z) & ((x) | (y))))

/* FIPS 180-4, section 6.1.3: the schedule in sixteen words. */
static inline uint32_t next_word(uint32_t *w, uint8_t step) {
    uint32_t word =
        rotl32(w[(step + 13) & 15] ^ w[(step + 8) & 15] ^ w[(step + 2) & 15] ^ w[step & 15], 1);
    w[step & 15] = word;
    return word;
}

/* The working variables change names instead of places; five steps bring the names back. */
#define STEP(function, constant, word, a, b, c, d, e)                                              \
    do {                                                                                           \
        e += rotl32(a, 5) + function(b, c, d) + (word) + UINT32_C(constant);                       \
        b = rotl32(b, 30);                                                                         \
    } while (0)

#define FIVE_STEPS(function, constant, word)                                                       \
    do {                                                                                           \
        STEP(function, constant, word, a, b, c, d, e);                                             \
        step++;                                                                                    \
        STEP(function, constant, word, e, a, b, c, d);                                             \
        step++;                                                                                    \
        STEP(function, constant, word, d, e, a, b, c);                                             \
        step++;                                                                                    \
        STEP(function, constant, word, c, d, e, a, b);                                             \
        step++;                                                                                    \
        STEP(function, constant, word, b, c, d, e, a);                                             \
        step++;                                                                                    \
    } while (0)

/* FIPS 180-4, section 6.1.2. */
void sha1_compress(hash_context *ctx, const uint8_t *block) {
    uint32_t *w = ctx->block.words;
    uint32_t a = ctx->state[0];
    uint32_t b = ctx->state[1];
    uint32_t c = ctx->state[2];
    uint32_t d = ctx->state[3];
    uint32_t e = ctx->state[4];
    uint8_t step;

    for (step = 0; step < 16; step++) {
        w[step] = load32_be(block + 4 * step);
    }
    for (step = 0; step < 15;) {
        FIVE_STEPS(CH, 0x5a827999, w[step]);
    }
    STEP(CH, 0x5a827999, w[15], a, b, c, d, e);
    STEP(CH, 0x5a827999, next_word(w, 16), e, a, b, c, d);
    STEP(CH, 0x5a827999, next_word(w, 17), d, e, a, b, c);
    STEP(CH, 0x5a827999, next_word(w, 18), c, d, e, a, b);
    STEP(CH, 0x5a827999, next_word(w, 19), b, c, d, e, a);
    for (step = 20; step < 40;) {
        FIVE_STEPS(PARITY, 0x6ed9eba1, next_word(w, step));
    }
    while (step < 60) {
        FIVE_STEPS(MAJ, 0x8f1bbcdc, next_word(w, step));
    }
    while (step < 80) {
        FIVE_STEPS(PARITY, 0xca62c1d6, next_word(w, step));
    }
    ctx->state[0] += a;
    ctx->state[1] += b;
    ctx->state[2] += c;
    ctx->state[3] += d;
    ctx->state[4] += e;
    if (++ctx->blocks_low == 0) {
        ctx->blocks_high++;
    }
}
