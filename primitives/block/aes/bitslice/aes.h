#ifndef STEELYARD_AES_H
#define STEELYARD_AES_H

#include <stdint.h>

/* The state in slices: bit i of slice b is bit b of the state's byte i. */
typedef uint16_t aes_slice;

/* Up to 16 bytes into slices, and 16 bytes out of them. */
void aes_pack(aes_slice *state, const uint8_t *bytes, uint8_t count);
void aes_unpack(uint8_t *bytes, const aes_slice *state);

/* Multiplicative inverses of 16 elements of GF(2^8), written as hi y + lo with y^2 = y + z^3 + z^2
 * over GF(2^4), and that as polynomials in z modulo z^4 + z + 1: slices 0 to 3 are lo's
 * coefficients from z^0 up, 4 to 7 are hi's. */
void aes_invert(aes_slice *element);

/* SubBytes and MixColumns (FIPS 197, sections 5.1.1 and 5.1.3). */
void aes_substitute(aes_slice *state);
void aes_mix_columns(aes_slice *state);

static inline void aes_add_round_key(aes_slice *state, const aes_slice *round_key) {
    for (uint8_t b = 0; b < 8; b++) {
        state[b] ^= round_key[b];
    }
}

/* Each slice has the state's columns as groups of four bits; row r of a column is bit r. */
static inline aes_slice aes_next_row(aes_slice s) {
    return (aes_slice)((s >> 1 & 0x7777) | (s << 3 & 0x8888));
}

static inline aes_slice aes_opposite_row(aes_slice s) {
    return (aes_slice)((s >> 2 & 0x3333) | (s << 2 & 0xcccc));
}

#endif
