#include "twofish.h"

/* Specification, function h. */
void twofish_permute(uint8_t *y, const uint8_t *list) {
    uint8_t y0 = y[0];
    uint8_t y1 = y[1];
    uint8_t y2 = y[2];
    uint8_t y3 = y[3];

#if PRIMITIVE_KEY_BYTES > 24
    y0 = twofish_q1[y0] ^ list[12];
    y1 = twofish_q0[y1] ^ list[13];
    y2 = twofish_q0[y2] ^ list[14];
    y3 = twofish_q1[y3] ^ list[15];
#endif
#if PRIMITIVE_KEY_BYTES > 16
    y0 = twofish_q1[y0] ^ list[8];
    y1 = twofish_q1[y1] ^ list[9];
    y2 = twofish_q0[y2] ^ list[10];
    y3 = twofish_q0[y3] ^ list[11];
#endif
    y[0] = twofish_q1[twofish_q0[twofish_q0[y0] ^ list[4]] ^ list[0]];
    y[1] = twofish_q0[twofish_q0[twofish_q1[y1] ^ list[5]] ^ list[1]];
    y[2] = twofish_q1[twofish_q1[twofish_q0[y2] ^ list[6]] ^ list[2]];
    y[3] = twofish_q0[twofish_q1[twofish_q1[y3] ^ list[7]] ^ list[3]];
}
