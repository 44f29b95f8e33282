#include "turn.h"

void mars_turn(uint32_t *x) {
    uint32_t first = x[0];

    x[0] = x[1];
    x[1] = x[2];
    x[2] = x[3];
    x[3] = first;
}
