#include "block.h"

#include "bytes.h"
#include "cast.h"

/* RFC 2144, section 2.4. The bytes x0 to xF are numbered 0 to 15 here, z0 to zF 16 to 31.
 * For each new word: the word that it begins with and the bytes that go through S5 to S8 and the
 * fifth box; first z from x, then x from z. */
static const ROM uint8_t word_plan[8][6] = {
    {0, 13, 15, 12, 14, 8},  {8, 16, 18, 17, 19, 10},  {12, 23, 22, 21, 20, 9},
    {4, 26, 25, 27, 24, 11}, {24, 21, 23, 20, 22, 16}, {16, 0, 2, 1, 3, 18},
    {20, 7, 6, 5, 4, 17},    {28, 10, 9, 11, 8, 19},
};

/* The bytes for each subkey; four subkeys are taken after either half of the plan above. */
static const ROM uint8_t key_plan[16][5] = {
    {24, 25, 23, 22, 18}, {26, 27, 21, 20, 22}, {28, 29, 19, 18, 25}, {30, 31, 17, 16, 28},
    {3, 2, 12, 13, 8},    {1, 0, 14, 15, 13},   {7, 6, 8, 9, 3},      {5, 4, 10, 11, 7},
    {19, 18, 28, 29, 25}, {17, 16, 30, 31, 28}, {23, 22, 24, 25, 18}, {21, 20, 26, 27, 22},
    {8, 9, 7, 6, 3},      {10, 11, 5, 4, 7},    {12, 13, 3, 2, 8},    {14, 15, 1, 0, 13},
};

static uint32_t sum(const uint8_t *bytes, const ROM uint8_t *plan, uint8_t fifth_box) {
    return cast_key_boxes[0][bytes[plan[0]]] ^ cast_key_boxes[1][bytes[plan[1]]] ^
           cast_key_boxes[2][bytes[plan[2]]] ^ cast_key_boxes[3][bytes[plan[3]]] ^
           cast_key_boxes[fifth_box][bytes[plan[4]]];
}

/* One half of the plan, z from x or x from z. */
static void renew(uint8_t *bytes, uint8_t half) {
    for (uint8_t word = 0; word < 4; word++) {
        const ROM uint8_t *plan = word_plan[4 * half + word];
        uint32_t t = load32_be(bytes + plan[0]) ^ sum(bytes, plan + 1, (word + 2) & 3);
        store32_be(bytes + (half ? 0 : 16) + 4 * word, t);
    }
}

void block_init(block_context *ctx, const uint8_t *key) {
    uint8_t bytes[32] = {0};

    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        bytes[i] = key[i];
    }
    for (uint8_t i = 0; i < 32; i++) {
        uint8_t round = i & 15;
        if ((i & 3) == 0) {
            renew(bytes, i >> 2 & 1);
        }
        uint32_t subkey = sum(bytes, key_plan[round], i & 3);
#if PRIMITIVE_ROUNDS < 16
        if (round >= PRIMITIVE_ROUNDS) {
            continue;
        }
#endif
        if (i < 16) {
            ctx->masks[round] = subkey;
        } else {
            ctx->rotations[round] = (uint8_t)subkey & 31;
        }
    }
}
