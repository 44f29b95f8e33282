#ifndef STEELYARD_PRESENT_STATE_H
#define STEELYARD_PRESENT_STATE_H

#include <stdint.h>

/* The block with its lowest byte first. */
static inline void present_load(uint8_t *state, const uint8_t *in) {
    for (uint8_t i = 0; i < 8; i++) {
        state[i] = in[7 - i];
    }
}

#endif
