#include "clefia.h"

#include "begin.h"

static void make_keys(uint8_t *round_keys, const clefia_schedule *schedule, uint8_t i) {
    const uint8_t *key = KEY_OF(schedule, i);

    for (uint8_t j = 0; j < 16; j++) {
        round_keys[j] = L_OF(schedule, i)[j];
        if (i & 1) {
            round_keys[j] ^= key[j];
        }
    }
    add_constants(round_keys, schedule->constant);
    add_constants(round_keys + 8, next_constant(schedule->constant));
}

void clefia_next_keys(uint8_t *round_keys, clefia_schedule *schedule, uint8_t i) {
    make_keys(round_keys, schedule, i);
    schedule->constant = next_constant(next_constant(schedule->constant));
    double_swap(L_OF(schedule, i));
}

/* Undoes next_constant. */
static uint16_t previous_constant(uint16_t t) {
    return (uint16_t)((uint16_t)(t << 1) ^ (0xa831 & (0u - (t >> 15))));
}

/* Undoes double_swap. */
static void double_swap_back(uint8_t *l) {
    uint8_t first = l[8] & 0xfe;
    uint8_t last = l[7] & 0x7f;

    for (uint8_t i = 8; i < 15; i++) {
        l[i] = (uint8_t)(l[i] << 7 | l[i + 1] >> 1);
    }
    for (uint8_t i = 7; i > 0; i--) {
        l[i] = (uint8_t)(l[i] >> 7 | l[i - 1] << 1);
    }
    l[0] = first | l[0] >> 7;
    l[15] = (uint8_t)(l[15] << 7 | last);
}

void clefia_previous_keys(uint8_t *round_keys, clefia_schedule *schedule, uint8_t i) {
    double_swap_back(L_OF(schedule, i));
    schedule->constant = previous_constant(previous_constant(schedule->constant));
    make_keys(round_keys, schedule, i);
}
