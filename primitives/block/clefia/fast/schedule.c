#include "clefia.h"

#include "begin.h"

void clefia_next_keys(uint8_t *round_keys, clefia_schedule *schedule, uint8_t i) {
    uint8_t *l = L_OF(schedule, i);
    const uint8_t *key = KEY_OF(schedule, i);

    for (uint8_t j = 0; j < 16; j++) {
        round_keys[j] = l[j];
        if (i & 1) {
            round_keys[j] ^= key[j];
        }
    }
    for (uint8_t half = 0; half < 2; half++) {
        add_constants(round_keys + 8 * half, schedule->constant);
        schedule->constant = next_constant(schedule->constant);
    }
    double_swap(l);
}
