#include "block.h"

#include "bytes.h"
#include "mars.h"
#include "rotate.h"
#include "turn.h"

/* T after the pass that makes the word number of the key. */
static void find(uint32_t *t, const block_context *ctx, uint8_t number) {
    mars_start(t, ctx);
    for (uint8_t pass = 0; pass <= number / 10; pass++) {
        mars_pass(t, pass);
    }
}

/* Paper, phases 1 to 3 from the last step to the first. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t number = 4 + 2 * PRIMITIVE_ROUNDS;
    uint32_t t[MARS_TEMPORARY_WORDS];
    uint32_t x[4];

    find(t, ctx, number);
    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load32_le(in + 4 * i) + mars_key(t, (uint8_t)(number + i));
    }
    for (uint8_t i = 8; i > 0;) {
        i--;
        mars_turn_back(x);
        uint32_t a = x[0] << 8 | x[0] >> 24;
        x[3] = (x[3] ^ mars_s0(a >> 8)) + mars_s1(a >> 16);
        x[2] += mars_s0(a >> 24);
        x[1] ^= mars_s1(a);
        if ((i & 3) == 2) {
            a += x[3];
        }
        if ((i & 3) == 3) {
            a += x[1];
        }
        x[0] = a;
    }
    for (uint8_t i = PRIMITIVE_ROUNDS; i > 0;) {
        i--;
        uint8_t sum = i < 8 ? 1 : 3;
        mars_expanded e;
        number = (uint8_t)(number - 2);
        if (number % 10 == 8) {
            find(t, ctx, number);
        }
        mars_turn_back(x);
        x[0] = rotl32(x[0], 19);
        mars_expand(&e, x[0], t, number);
        x[sum] -= e.left;
        x[2] -= e.middle;
        x[sum ^ 2] ^= e.right;
    }
    for (uint8_t i = 8; i > 0;) {
        i--;
        mars_turn_back(x);
        uint32_t a = x[0];
        if ((i & 3) == 0) {
            a -= x[3];
        }
        if ((i & 3) == 1) {
            a -= x[1];
        }
        a = a << 24 | a >> 8;
        x[0] = a;
        x[3] ^= mars_s1(a >> 24);
        x[2] -= mars_s0(a >> 16);
        x[1] = (x[1] - mars_s1(a >> 8)) ^ mars_s0(a);
    }
    for (uint8_t i = 0; i < 4; i++) {
        store32_le(out + 4 * i, x[i] - mars_key(t, i));
    }
}
