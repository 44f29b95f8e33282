#include "idea.h"

#include "bytes.h"
#include "multiply.h"

void idea_load(uint16_t *x, const uint8_t *in) {
    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load16_be(in + 2 * i);
    }
}

void idea_store(uint8_t *out, const uint16_t *x) {
    for (uint8_t i = 0; i < 4; i++) {
        store16_be(out + 2 * i, x[i]);
    }
}

void idea_round(uint16_t *x, const uint16_t *k) {
    uint16_t x1 = idea_multiply(x[0], k[0]);
    uint16_t x2 = (uint16_t)(x[1] + k[1]);
    uint16_t x3 = (uint16_t)(x[2] + k[2]);
    uint16_t x4 = idea_multiply(x[3], k[3]);
    uint16_t t = idea_multiply(x1 ^ x3, k[4]);
    uint16_t u = idea_multiply((uint16_t)(t + (x2 ^ x4)), k[5]);

    t = (uint16_t)(t + u);
    x[0] = x1 ^ u;
    x[1] = x3 ^ u;
    x[2] = x2 ^ t;
    x[3] = x4 ^ t;
}

/* Undoes the exchange of the last round. */
void idea_output(uint16_t *x, const uint16_t *k) {
    uint16_t second = x[1];

    x[0] = idea_multiply(x[0], k[0]);
    x[1] = (uint16_t)(x[2] + k[1]);
    x[2] = (uint16_t)(second + k[2]);
    x[3] = idea_multiply(x[3], k[3]);
}
