#include "rounds.h"

#include "bytes.h"
#include "kasumi.h"
#include "rom.h"

/* Key schedule of 3GPP TS 35.202: the constants; for each subkey of a round the word
 * of the key, and the rotation or PRIME for the constant. */
#define PRIME 16

static const ROM uint16_t constants[8] = {
    0x0123, 0x4567, 0x89AB, 0xCDEF, 0xFEDC, 0xBA98, 0x7654, 0x3210,
};
static const ROM uint8_t words[KASUMI_ROUND_KEYS] = {0, 2, 1, 4, 5, 3, 6, 7};
static const ROM uint8_t rotations[KASUMI_ROUND_KEYS] = {1, PRIME, 5, PRIME, 8, PRIME, 13, PRIME};

static void make_subkeys(const block_context *ctx, uint16_t *k, uint8_t round) {
    for (uint8_t i = 0; i < KASUMI_ROUND_KEYS; i++) {
        uint8_t at = (uint8_t)(words[i] + round) & 7;
        uint16_t word = ctx->key[at];
        uint8_t rotation = rotations[i];
        if (rotation == PRIME) {
            word ^= constants[at];
        } else {
            word = (uint16_t)(word << rotation | word >> (16 - rotation));
        }
        k[i] = word;
    }
}

/* The Feistel network. */
void kasumi_rounds(const block_context *ctx, uint8_t *out, const uint8_t *in, uint8_t round,
                   uint8_t step) {
    uint16_t k[KASUMI_ROUND_KEYS];
    uint16_t x[4];
    uint8_t i;

    for (i = 0; i < 4; i++) {
        x[i] = load16_be(in + 2 * i);
    }
    for (; round < PRIMITIVE_ROUNDS; round = (uint8_t)(round + step)) {
        uint8_t from = (uint8_t)(round << 1) & 2;
        uint16_t t[2] = {x[from], x[from + 1]};
        make_subkeys(ctx, k, round);
        if (from == 0) {
            kasumi_fl(t, k);
        }
        kasumi_fo(t, k);
        if (from != 0) {
            kasumi_fl(t, k);
        }
        x[from ^ 2] ^= t[0];
        x[from ^ 3] ^= t[1];
    }
    for (i = 0; i < 4; i++) {
        store16_be(out + 2 * i, x[i]);
    }
}
