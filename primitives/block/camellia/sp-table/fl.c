#include "camellia.h"

#include "rotate.h"

void camellia_fl(uint32_t *x, const uint32_t *subkey) {
    x[1] ^= rotl32(x[0] & subkey[0], 1);
    x[0] ^= x[1] | subkey[1];
}

void camellia_fl_inverse(uint32_t *x, const uint32_t *subkey) {
    x[0] ^= x[1] | subkey[1];
    x[1] ^= rotl32(x[0] & subkey[0], 1);
}
