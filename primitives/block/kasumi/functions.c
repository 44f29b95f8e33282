#include "kasumi.h"

void kasumi_fl(uint16_t *x, const uint16_t *k) {
    uint16_t t = x[0] & k[0];
    x[1] ^= (uint16_t)(t << 1 | t >> 15);
    t = x[1] | k[1];
    x[0] ^= (uint16_t)(t << 1 | t >> 15);
}

void kasumi_fo(uint16_t *x, const uint16_t *k) {
    uint16_t left = kasumi_fi(x[0] ^ k[2], k[3]) ^ x[1];
    uint16_t right = kasumi_fi(x[1] ^ k[4], k[5]) ^ left;

    x[1] = kasumi_fi(left ^ k[6], k[7]) ^ right;
    x[0] = right;
}
