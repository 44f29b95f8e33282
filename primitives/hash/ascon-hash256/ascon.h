#ifndef STEELYARD_ASCON_H
#define STEELYARD_ASCON_H

#include "hash.h"

/* NIST SP 800-232, section 3: the permutation of twelve rounds. */
void ascon_permute(uint64_t *words);

/* The state as words of 64 bits and as the bytes that the message is added to, where a word's first
 * byte is its lowest: on a big-endian machine the bytes of a word are counted backwards. */
static inline uint8_t word_byte(uint8_t at) {
    static const uint16_t one = 1;
    return *(const uint8_t *)&one == 1 ? at : at ^ 7;
}

#endif
