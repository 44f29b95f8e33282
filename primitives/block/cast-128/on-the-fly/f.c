#include "cast.h"

#include "inline.h"
#include "rotate.h"

/* Box number box at its byte of i, of which the first is the highest. */
ALWAYS_INLINE uint32_t s(uint32_t i, uint8_t box) {
    return cast_round_boxes[box][(uint8_t)(i >> (24 - 8 * box))];
}

static uint32_t f1(uint32_t d, uint32_t mask, uint8_t rotation) {
    uint32_t i = rotl32_variable(mask + d, rotation);

    return (s(i, 0) ^ s(i, 1)) - s(i, 2) + s(i, 3);
}

static uint32_t f2(uint32_t d, uint32_t mask, uint8_t rotation) {
    uint32_t i = rotl32_variable(mask ^ d, rotation);

    return (s(i, 0) - s(i, 1) + s(i, 2)) ^ s(i, 3);
}

static uint32_t f3(uint32_t d, uint32_t mask, uint8_t rotation) {
    uint32_t i = rotl32_variable(mask - d, rotation);

    return ((s(i, 0) + s(i, 1)) ^ s(i, 2)) - s(i, 3);
}

uint32_t cast_f(uint32_t d, const block_context *states, uint8_t round) {
    uint32_t mask = cast_subkey(states->states[0], round);
    uint8_t rotation = (uint8_t)cast_subkey(states->states[1], round);

    switch (round % 3) {
    case 0:
        return f1(d, mask, rotation);
    case 1:
        return f2(d, mask, rotation);
    default:
        return f3(d, mask, rotation);
    }
}
