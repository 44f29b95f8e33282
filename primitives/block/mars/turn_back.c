#include "turn.h"

void mars_turn_back(uint32_t *x) {
    for (uint8_t i = 3; i > 0; i--) {
        mars_turn(x);
    }
}
