#include "mars.h"

#include "rotate.h"
#include "run_mask.h"

/* Paper, "Key expansion", step 4, with the tweak of AES round 2: a word for multiplication, which
 * the word before it rotates. The four patterns B are the S-box's entries from 265 on. */
static uint32_t multiplier(uint32_t key, uint32_t before) {
    uint32_t word = key | 3;
    uint32_t pattern = rotl32_variable(mars_sbox[265 + ((uint8_t)key & 3)], (uint8_t)before);

    return word ^ (pattern & run_mask(word));
}

/* Paper, "The E-function". */
void mars_expand(mars_expanded *out, uint32_t in, const uint32_t *t, uint8_t number) {
    uint32_t key = mars_key(t, number);
    uint32_t right = rotl32(in, 13) * multiplier(mars_key(t, (uint8_t)(number + 1)), key);
    uint32_t middle = in + key;
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
