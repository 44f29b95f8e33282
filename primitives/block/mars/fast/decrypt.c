#include "block.h"

#include "bytes.h"
#include "inline.h"
#include "mars.h"
#include "rotate.h"

/* Paper, phases 1 to 3 from the last step to the first; x has the words D[0] to D[3], and instead
 * of turning the array the callers turn the arguments. */
ALWAYS_INLINE void unmix_back(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
    *a = rotl32(*a, 8);
    *d = (*d ^ mars_s0(*a >> 8)) + mars_s1(*a >> 16);
    *c += mars_s0(*a >> 24);
    *b ^= mars_s1(*a);
}

/* In the backward mode b and d change places. */
static void uncore(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d, const uint32_t *keys) {
    mars_expanded e;

    *a = rotl32(*a, 19);
    mars_expand(&e, *a, keys);
    *b -= e.left;
    *c -= e.middle;
    *d ^= e.right;
}

ALWAYS_INLINE void unmix(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
    *a = rotl32(*a, 24);
    *d ^= mars_s1(*a >> 24);
    *c -= mars_s0(*a >> 16);
    *b = (*b - mars_s1(*a >> 8)) ^ mars_s0(*a);
}

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *keys = ctx->keys + MARS_KEY_WORDS - 4;
    uint32_t x[4];

    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load32_le(in + 4 * i) + keys[i];
    }
    for (uint8_t fours = 2; fours > 0; fours--) {
        unmix_back(x + 3, x, x + 1, x + 2);
        x[3] += x[0];
        unmix_back(x + 2, x + 3, x, x + 1);
        x[2] += x[1];
        unmix_back(x + 1, x + 2, x + 3, x);
        unmix_back(x, x + 1, x + 2, x + 3);
    }
    for (uint8_t fours = 2; fours > 0; fours--) {
        keys -= 8;
        uncore(x + 3, x + 2, x + 1, x, keys + 6);
        uncore(x + 2, x + 1, x, x + 3, keys + 4);
        uncore(x + 1, x, x + 3, x + 2, keys + 2);
        uncore(x, x + 3, x + 2, x + 1, keys);
    }
    for (uint8_t fours = 2; fours > 0; fours--) {
        keys -= 8;
        uncore(x + 3, x, x + 1, x + 2, keys + 6);
        uncore(x + 2, x + 3, x, x + 1, keys + 4);
        uncore(x + 1, x + 2, x + 3, x, keys + 2);
        uncore(x, x + 1, x + 2, x + 3, keys);
    }
    for (uint8_t fours = 2; fours > 0; fours--) {
        unmix(x + 3, x, x + 1, x + 2);
        unmix(x + 2, x + 3, x, x + 1);
        x[1] -= x[2];
        unmix(x + 1, x + 2, x + 3, x);
        x[0] -= x[3];
        unmix(x, x + 1, x + 2, x + 3);
    }
    keys -= 4;
    for (uint8_t i = 0; i < 4; i++) {
        store32_le(out + 4 * i, x[i] - keys[i]);
    }
}
