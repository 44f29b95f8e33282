#include "schedule.h"

#if WORD_BYTES == 2

#include "pair.h"

void speck_round(uint8_t *x, uint8_t *y, const uint8_t *k) {
    uint16_t a = pair_load(x);
    uint16_t b = pair_load(y);

    a = (uint16_t)((uint16_t)((uint16_t)(a >> 7 | a << 9) + b) ^ pair_load(k));
    pair_store(x, a);
    pair_store(y, (uint16_t)(b << 2 | b >> 14) ^ a);
}

#else

void speck_round(uint8_t *x, uint8_t *y, const uint8_t *k) {
    uint8_t first = x[0];
    uint8_t carry = y[WORD_BYTES - 1] >> 5;
    uint16_t sum = 0;

    for (uint8_t i = 0; i < WORD_BYTES; i++) {
        uint8_t rotated = i == WORD_BYTES - 1 ? first : x[i + 1];
        uint16_t shifted = (uint16_t)(y[i] << 3 | carry);
        sum = (uint16_t)((sum >> 8) + rotated + y[i]);
        x[i] = (uint8_t)(sum ^ k[i]);
        y[i] = (uint8_t)(shifted ^ x[i]);
        carry = (uint8_t)(shifted >> 8);
    }
}

#endif
