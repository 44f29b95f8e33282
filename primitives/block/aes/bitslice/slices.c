#include "aes.h"

void aes_pack(aes_slice *state, const uint8_t *bytes, uint8_t count) {
    for (uint8_t b = 0; b < 8; b++) {
        state[b] = 0;
    }
    while (count > 0) {
        uint8_t byte = bytes[--count];
        for (uint8_t b = 0; b < 8; b++) {
            state[b] = (aes_slice)(state[b] << 1) | (byte & 1);
            byte >>= 1;
        }
    }
}

void aes_unpack(uint8_t *bytes, const aes_slice *state) {
    aes_slice rest[8];

    for (uint8_t b = 0; b < 8; b++) {
        rest[b] = state[b];
    }
    for (uint8_t i = 0; i < 16; i++) {
        uint8_t byte = 0;
        for (uint8_t b = 8; b > 0;) {
            b--;
            byte = (uint8_t)((uint8_t)(byte << 1) | (rest[b] & 1));
            rest[b] >>= 1;
        }
        bytes[i] = byte;
    }
}
