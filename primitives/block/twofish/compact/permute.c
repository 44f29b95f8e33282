#include "twofish.h"

/* Specification, function h: bit i of an entry tells which permutation byte i passes at that stage,
 * the last stage first. */
static const ROM uint8_t stages[5] = {0x5, 0xc, 0xa, 0x3, 0x9};

void twofish_permute(uint8_t *y, const uint8_t *list) {
    for (uint8_t stage = TWOFISH_LIST_WORDS;; stage--) {
        uint8_t which = stages[stage];
        for (uint8_t i = 0; i < 4; i++) {
            y[i] = twofish_q(which & 1, y[i]);
            if (stage > 0) {
                y[i] ^= list[4 * (stage - 1) + i];
            }
            which >>= 1;
        }
        if (stage == 0) {
            break;
        }
    }
}
