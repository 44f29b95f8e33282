#include "cast.h"

/* The three types differ in which of their four operations is addition, subtraction or exclusive
 * or: each is the one before it with the operations moved on by one. */
static uint32_t combine(uint32_t a, uint32_t b, uint8_t operation) {
    if (operation == 0) {
        return a + b;
    }
    if (operation == 1) {
        return a ^ b;
    }
    return a - b;
}

uint32_t cast_f(const block_context *ctx, uint32_t d, uint8_t round) {
    uint8_t operation = round % 3;
    uint32_t i = combine(ctx->masks[round], d, operation);
    uint32_t sum;

    for (uint8_t n = ctx->rotations[round]; n > 0; n--) {
        i = i << 1 | i >> 31;
    }
    sum = cast_round_boxes[0][i >> 24];
    for (uint8_t box = 1; box < 4; box++) {
        i <<= 8;
        operation = operation == 2 ? 0 : (uint8_t)(operation + 1);
        sum = combine(sum, cast_round_boxes[box][i >> 24], operation);
    }
    return sum;
}
