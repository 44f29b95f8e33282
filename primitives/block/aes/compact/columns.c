#include "aes.h"

void aes_mix_columns(uint8_t *state) {
    for (uint8_t c = 4; c > 0; c--) {
        uint8_t first = state[0];
        uint8_t all = state[0] ^ state[1] ^ state[2] ^ state[3];
        for (uint8_t r = 4; r > 0; r--) {
            uint8_t next = r == 1 ? first : state[1];
            *state = (uint8_t)(*state ^ all ^ xtime(*state ^ next));
            state++;
        }
    }
}
