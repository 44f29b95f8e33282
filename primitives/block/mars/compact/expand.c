#include "mars.h"

#include "rotate.h"

uint32_t mars_rotate(uint32_t x, uint8_t n) {
    for (n &= 31; n > 0; n--) {
        x = x << 1 | x >> 31;
    }
    return x;
}

/* Paper, "The E-function". */
void mars_expand(mars_expanded *out, uint32_t in, const uint32_t *keys) {
    uint32_t middle = in + keys[0];
    uint32_t right = mars_rotate(in, 13) * keys[1];
    uint32_t left = mars_s(middle);

    right = mars_rotate(right, 5);
    middle = mars_rotate(middle, (uint8_t)right);
    left ^= right;
    right = mars_rotate(right, 5);
    left ^= right;
    out->left = mars_rotate(left, (uint8_t)right);
    out->middle = middle;
    out->right = right;
}
