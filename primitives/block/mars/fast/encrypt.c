#include "block.h"

#include "bytes.h"
#include "inline.h"
#include "mars.h"
#include "rotate.h"

/* Paper, phases 1 to 3; x has the words D[0] to D[3], and instead of turning the array the callers
 * turn the arguments. */
ALWAYS_INLINE void mix(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
    *b = (*b ^ mars_s0(*a)) + mars_s1(*a >> 8);
    *c += mars_s0(*a >> 16);
    *d ^= mars_s1(*a >> 24);
    *a = rotl32(*a, 8);
}

/* In the backward mode b and d change places. */
static void core(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d, const uint32_t *keys) {
    mars_expanded e;

    mars_expand(&e, *a, keys);
    *a = rotl32(*a, 13);
    *b += e.left;
    *c += e.middle;
    *d ^= e.right;
}

ALWAYS_INLINE void mix_back(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
    *b ^= mars_s1(*a);
    *c -= mars_s0(*a >> 24);
    *d = (*d - mars_s1(*a >> 16)) ^ mars_s0(*a >> 8);
    *a = rotl32(*a, 24);
}

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *keys = ctx->keys;
    uint32_t x[4];

    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load32_le(in + 4 * i) + *keys++;
    }
    for (uint8_t fours = 2; fours > 0; fours--) {
        mix(x, x + 1, x + 2, x + 3);
        x[0] += x[3];
        mix(x + 1, x + 2, x + 3, x);
        x[1] += x[2];
        mix(x + 2, x + 3, x, x + 1);
        mix(x + 3, x, x + 1, x + 2);
    }
    for (uint8_t fours = 2; fours > 0; fours--) {
        core(x, x + 1, x + 2, x + 3, keys);
        core(x + 1, x + 2, x + 3, x, keys + 2);
        core(x + 2, x + 3, x, x + 1, keys + 4);
        core(x + 3, x, x + 1, x + 2, keys + 6);
        keys += 8;
    }
    for (uint8_t fours = 2; fours > 0; fours--) {
        core(x, x + 3, x + 2, x + 1, keys);
        core(x + 1, x, x + 3, x + 2, keys + 2);
        core(x + 2, x + 1, x, x + 3, keys + 4);
        core(x + 3, x + 2, x + 1, x, keys + 6);
        keys += 8;
    }
    for (uint8_t fours = 2; fours > 0; fours--) {
        mix_back(x, x + 1, x + 2, x + 3);
        mix_back(x + 1, x + 2, x + 3, x);
        x[2] -= x[1];
        mix_back(x + 2, x + 3, x, x + 1);
        x[3] -= x[0];
        mix_back(x + 3, x, x + 1, x + 2);
    }
    for (uint8_t i = 0; i < 4; i++) {
        store32_le(out + 4 * i, x[i] - *keys++);
    }
}
