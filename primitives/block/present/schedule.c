#include "schedule.h"

/* The rotation to the left by 61 is one to the right by three bits and these bytes. */
#define BYTES_RIGHT (PRIMITIVE_KEY_BYTES == 10 ? 2 : 8)

const ROM uint8_t present_sbox[16] = {0xC, 0x5, 0x6, 0xB, 0x9, 0x0, 0xA, 0xD,
                                      0x3, 0xE, 0xF, 0x8, 0x4, 0x7, 0x1, 0x2};

void present_schedule_next(uint8_t *key, uint8_t round) {
    uint8_t old[PRIMITIVE_KEY_BYTES];
    uint8_t from = PRIMITIVE_KEY_BYTES - BYTES_RIGHT;
    uint8_t above;

    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        old[i] = key[i];
    }
    above = old[from - 1];
    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        key[i] = (uint8_t)(old[from] >> 3 | above << 5);
        above = old[from];
        from = from == PRIMITIVE_KEY_BYTES - 1 ? 0 : (uint8_t)(from + 1);
    }
#if PRIMITIVE_KEY_BYTES == 10
    key[0] = (uint8_t)(present_sbox[key[0] >> 4] << 4 | (key[0] & 0xF));
    key[7] ^= round >> 1;
    key[8] ^= (uint8_t)(round << 7);
#else
    key[0] = (uint8_t)(present_sbox[key[0] >> 4] << 4 | present_sbox[key[0] & 0xF]);
    key[7] ^= round >> 2;
    key[8] ^= (uint8_t)(round << 6);
#endif
}
