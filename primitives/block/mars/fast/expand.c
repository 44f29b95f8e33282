#include "mars.h"

#include "rotate.h"

/* Paper, "The E-function". */
void mars_expand(mars_expanded *out, uint32_t in, const uint32_t *keys) {
    uint32_t middle = in + keys[0];
    uint32_t right = rotl32(in, 13) * keys[1];
    uint32_t left = mars_s(middle);

    right = rotl32(right, 5);
    middle = rotl32_variable(middle, (uint8_t)right);
    left ^= right;
    right = rotl32(right, 5);
    left ^= right;
    out->left = rotl32_variable(left, (uint8_t)right);
    out->middle = middle;
    out->right = right;
}
