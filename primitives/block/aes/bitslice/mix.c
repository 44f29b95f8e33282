#include "aes.h"

void aes_mix_columns(aes_slice *state) {
    aes_slice carry = state[7] ^ aes_next_row(state[7]);
    aes_slice doubled = 0;

    for (uint8_t b = 0; b < 8; b++) {
        aes_slice next = aes_next_row(state[b]);
        aes_slice pair = state[b] ^ next;
        if (b == 0 || b == 1 || b == 3 || b == 4) {
            doubled ^= carry;
        }
        state[b] = doubled ^ next ^ aes_opposite_row(pair);
        doubled = pair;
    }
}
