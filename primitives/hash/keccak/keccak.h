#ifndef STEELYARD_KECCAK_H
#define STEELYARD_KECCAK_H

#include "hash.h"

/* FIPS 202, section 3.3: the permutation KECCAK-p[1600, 24]. */
void keccak_permute(uint64_t *lanes);

/* The state as lanes of 64 bits and as the bytes that the message is added to, where a lane's first
 * byte is its lowest: on a big-endian machine the bytes of a lane are counted backwards. */
static inline uint8_t lane_byte(uint8_t at) {
    static const uint16_t one = 1;
    return *(const uint8_t *)&one == 1 ? at : at ^ 7;
}

#endif
