#include "chaskey.h"

#include "bytes.h"
#include "rom.h"
#include "rotate.h"

/* Chaskey paper, section 3, a round as four steps: to the word numbered first the second is added,
 * the second is rotated left by the third and the first added to it, the first is rotated left by
 * the fourth. */
static const ROM uint8_t steps[16] = {0, 1, 5, 16, 2, 3, 8, 0, 0, 3, 13, 0, 2, 1, 7, 16};

static uint32_t rotate(uint32_t x, uint8_t left) {
    return rotl32_variable(x, left);
}

void chaskey_permute(uint8_t *state) {
    for (uint8_t step = 0; step < 4 * PRIMITIVE_ROUNDS; step++) {
        uint8_t at = (uint8_t)(step << 2) & 0xF;
        uint8_t *first = state + 4 * steps[at];
        uint8_t *second = state + 4 * steps[at + 1];
        uint32_t b = load32_le(second);
        uint32_t a = load32_le(first) + b;

        store32_le(second, rotate(b, steps[at + 2]) ^ a);
        store32_le(first, rotate(a, steps[at + 3]));
    }
}
