#include "block.h"

#include "bytes.h"
#include "mars.h"
#include "rotate.h"
#include "turn.h"

/* Paper, phases 1 to 3 from the last step to the first. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *keys = ctx->keys + MARS_KEY_WORDS - 4;
    uint32_t x[4];

    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load32_le(in + 4 * i) + keys[i];
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
        keys -= 2;
        mars_turn_back(x);
        x[0] = rotl32(x[0], 19);
        mars_expand(&e, x[0], keys);
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
    keys -= 4;
    for (uint8_t i = 0; i < 4; i++) {
        store32_le(out + 4 * i, x[i] - keys[i]);
    }
}
