#include "cast.h"

#include "bytes.h"
#include "plans.h"

/* Where x and z are, of which one is old and the other its renewal. */
typedef struct {
    const uint8_t *x;
    const uint8_t *z;
} places;

static uint8_t byte_at(places from, uint8_t number) {
    return (number < 16 ? from.x : from.z)[number & 15];
}

static uint32_t sum(places from, const ROM uint8_t *plan, uint8_t fifth_box) {
    return cast_key_boxes[0][byte_at(from, plan[0])] ^ cast_key_boxes[1][byte_at(from, plan[1])] ^
           cast_key_boxes[2][byte_at(from, plan[2])] ^ cast_key_boxes[3][byte_at(from, plan[3])] ^
           cast_key_boxes[fifth_box][byte_at(from, plan[4])];
}

void cast_renew(uint8_t *state, uint8_t number) {
    uint8_t half = number & 1;
    uint8_t old[16];
    places from = {half ? state : old, half ? old : state};

    for (uint8_t i = 0; i < 16; i++) {
        old[i] = state[i];
    }
    for (uint8_t word = 0; word < 4; word++) {
        const ROM uint8_t *plan = word_plan[4 * half + word];
        uint32_t t = load32_be(old + (plan[0] & 15)) ^ sum(from, plan + 1, (word + 2) & 3);
        store32_be(state + 4 * word, t);
    }
}

uint32_t cast_subkey(const uint8_t *state, uint8_t round) {
    places from = {state, state};

    return sum(from, key_plan[round], round & 3);
}
