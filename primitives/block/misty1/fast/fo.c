#include "misty1.h"

void misty1_add_fo(uint16_t *to, const uint16_t *from, const uint16_t *k) {
    uint16_t left = misty1_fi(from[0] ^ k[0], k[1]) ^ from[1];
    uint16_t right = misty1_fi(from[1] ^ k[2], k[3]) ^ left;

    left = misty1_fi(left ^ k[4], k[5]) ^ right;
    to[0] ^= right ^ k[6];
    to[1] ^= left;
}
