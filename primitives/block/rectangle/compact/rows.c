#include "rows.h"

#include "bytes.h"

void rectangle_substitute(uint16_t *x) {
    uint16_t a = (uint16_t)~x[1];
    uint16_t b = x[2] ^ x[3];
    uint16_t c = x[0] ^ (x[3] | a);
    uint16_t d = x[1] ^ x[2];

    x[1] = x[2] ^ c;
    x[0] = b ^ (x[0] & a);
    x[3] = d ^ (b & c);
    x[2] = c ^ (x[0] | d);
}

void rectangle_load(uint16_t *x, const uint8_t *in) {
    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load16_be(in + 2 * i);
    }
}

void rectangle_store(uint8_t *out, const uint16_t *x) {
    for (uint8_t i = 0; i < 4; i++) {
        store16_be(out + 2 * i, x[i]);
    }
}
