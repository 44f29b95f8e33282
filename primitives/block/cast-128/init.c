#include "block.h"

#include "bytes.h"
#include "cast.h"
#include "plans.h"

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
