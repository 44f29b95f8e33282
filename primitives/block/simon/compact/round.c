#include "schedule.h"

void simon_round(uint8_t *y, const uint8_t *x, const uint8_t *k) {
    uint8_t before = x[WORD_BYTES - 1];

    for (uint8_t i = 0; i < WORD_BYTES; i++) {
        uint8_t here = x[i];
        uint8_t once = (uint8_t)(here << 1 | before >> 7);
        uint8_t twice = (uint8_t)(here << 2 | before >> 6);
        y[i] = (uint8_t)(y[i] ^ (once & before) ^ twice ^ k[i]);
        before = here;
    }
}
