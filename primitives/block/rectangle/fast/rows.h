#ifndef STEELYARD_RECTANGLE_ROWS_H
#define STEELYARD_RECTANGLE_ROWS_H

#include <stdint.h>

#include "bytes.h"

/* Rows of 16 bits, RECTANGLE paper; bit j of row i is the S-box bit i of column j. */
#define RECTANGLE_LEFT(x, n) ((uint16_t)((x) << (n) | (x) >> (16 - (n))))

/* SubColumn by the twelve operations of section 5.2. */
static inline void rectangle_substitute(uint16_t *x) {
    uint16_t a = (uint16_t)~x[1];
    uint16_t b = x[2] ^ x[3];
    uint16_t c = x[0] ^ (x[3] | a);
    uint16_t d = x[1] ^ x[2];

    x[1] = x[2] ^ c;
    x[0] = b ^ (x[0] & a);
    x[3] = d ^ (b & c);
    x[2] = c ^ (x[0] | d);
}

static inline void rectangle_load(uint16_t *x, const uint8_t *in) {
    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load16_be(in + 2 * i);
    }
}

static inline void rectangle_store(uint8_t *out, const uint16_t *x) {
    for (uint8_t i = 0; i < 4; i++) {
        store16_be(out + 2 * i, x[i]);
    }
}

static inline void rectangle_add_key(uint16_t *x, const uint16_t *k) {
    x[0] ^= k[0];
    x[1] ^= k[1];
    x[2] ^= k[2];
    x[3] ^= k[3];
}

#endif
