#include "block.h"

#include "bytes.h"
#include "mars.h"
#include "rotate.h"
#include "turn.h"

/* Paper, phases 1 to 3. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *keys = ctx->keys;
    uint32_t x[4];

    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load32_le(in + 4 * i) + *keys++;
    }
    for (uint8_t i = 0; i < 8; i++) {
        uint32_t a = x[0];
        x[1] = (x[1] ^ mars_s0(a)) + mars_s1(a >> 8);
        x[2] += mars_s0(a >> 16);
        x[3] ^= mars_s1(a >> 24);
        x[0] = a << 8 | a >> 24;
        if ((i & 3) == 0) {
            x[0] += x[3];
        }
        if ((i & 3) == 1) {
            x[0] += x[1];
        }
        mars_turn(x);
    }
    for (uint8_t i = 0; i < PRIMITIVE_ROUNDS; i++) {
        uint8_t sum = i < 8 ? 1 : 3;
        mars_expanded e;
        mars_expand(&e, x[0], keys);
        x[0] = rotl32(x[0], 13);
        x[sum] += e.left;
        x[2] += e.middle;
        x[sum ^ 2] ^= e.right;
        mars_turn(x);
        keys += 2;
    }
    for (uint8_t i = 0; i < 8; i++) {
        if ((i & 3) == 2) {
            x[0] -= x[3];
        }
        if ((i & 3) == 3) {
            x[0] -= x[1];
        }
        uint32_t a = x[0];
        x[1] ^= mars_s1(a);
        x[2] -= mars_s0(a >> 24);
        x[3] = (x[3] - mars_s1(a >> 16)) ^ mars_s0(a >> 8);
        x[0] = a << 24 | a >> 8;
        mars_turn(x);
    }
    for (uint8_t i = 0; i < 4; i++) {
        store32_le(out + 4 * i, x[i] - *keys++);
    }
}
