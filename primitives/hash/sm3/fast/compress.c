#include "hash.h"

#include "bytes.h"
#include "rotate.h"
#include "sm3.h"

/* The SM3 draft, sections 4.2 to 4.4; MAJ and CH in forms that need one operation less. */
#define T_FIRST         UINT32_C(0x79cc4519)
#define T_REST          UINT32_C(0x7a879d8a)
#define PARITY(x, y, z) ((x) ^ (y) ^ (z))
#define MAJ(x, y, z)    (((x) & (y)) | ((z) & ((x) | (y))))
#define CH(x, y, z)     ((z) ^ ((x) & ((y) ^ (z))))

static inline uint32_t p0(uint32_t x) {
    return x ^ rotl32(x, 9) ^ rotl32(x, 17);
}

static inline uint32_t p1(uint32_t x) {
    return x ^ rotl32(x, 15) ^ rotl32(x, 23);
}

/* Section 5.3.2, four words ahead of their step, in the room of sixteen; at is the word's index. */
static void expand(uint32_t *w, uint8_t at) {
    uint32_t x = w[at & 15] ^ w[(at + 7) & 15] ^ rotl32(w[(at + 13) & 15], 15);
    w[at & 15] = p1(x) ^ rotl32(w[(at + 3) & 15], 7) ^ w[(at + 10) & 15];
}

/* The working variables change names instead of places; four steps bring the names back. The
 * constant t turns by one bit each step. */
#define STEP(f, g, a, b, c, d, e, ff, gg, h, i)                                                    \
    do {                                                                                           \
        uint32_t turned = rotl32(a, 12);                                                           \
        uint32_t word = w[(step + i) & 15];                                                        \
        uint32_t sum = turned + e + t;                                                             \
        sum = rotl32(sum, 7);                                                                      \
        t = rotl32(t, 1);                                                                          \
        d += f(a, b, c) + (sum ^ turned) + (word ^ w[(step + i + 4) & 15]);                        \
        h += g(e, ff, gg) + sum + word;                                                            \
        b = rotl32(b, 9);                                                                          \
        ff = rotl32(ff, 19);                                                                       \
        h = p0(h);                                                                                 \
    } while (0)

#define FOUR_STEPS(f, g)                                                                           \
    do {                                                                                           \
        STEP(f, g, a, b, c, d, e, ff, gg, h, 0);                                                   \
        STEP(f, g, d, a, b, c, h, e, ff, gg, 1);                                                   \
        STEP(f, g, c, d, a, b, gg, h, e, ff, 2);                                                   \
        STEP(f, g, b, c, d, a, ff, gg, h, e, 3);                                                   \
    } while (0)

/* The SM3 draft, section 5.3.3. */
void sm3_compress(hash_context *ctx, const uint8_t *block) {
    uint32_t *w = ctx->block.words;
    uint32_t a = ctx->state[0];
    uint32_t b = ctx->state[1];
    uint32_t c = ctx->state[2];
    uint32_t d = ctx->state[3];
    uint32_t e = ctx->state[4];
    uint32_t ff = ctx->state[5];
    uint32_t gg = ctx->state[6];
    uint32_t h = ctx->state[7];
    uint32_t t = T_FIRST;
    uint8_t step;

    for (step = 0; step < 16; step++) {
        w[step] = load32_be(block + 4 * step);
    }
    for (step = 0; step < 12; step = (uint8_t)(step + 4)) {
        FOUR_STEPS(PARITY, PARITY);
    }
    for (; step < 64; step = (uint8_t)(step + 4)) {
        for (uint8_t ahead = 4; ahead < 8; ahead++) {
            expand(w, (uint8_t)(step + ahead));
        }
        if (step == 12) {
            FOUR_STEPS(PARITY, PARITY);
            t = ROTL32_SHIFTS(T_REST, 16);
        } else {
            FOUR_STEPS(MAJ, CH);
        }
    }
    ctx->state[0] ^= a;
    ctx->state[1] ^= b;
    ctx->state[2] ^= c;
    ctx->state[3] ^= d;
    ctx->state[4] ^= e;
    ctx->state[5] ^= ff;
    ctx->state[6] ^= gg;
    ctx->state[7] ^= h;
    if (++ctx->blocks_low == 0) {
        ctx->blocks_high++;
    }
}
