#ifndef STEELYARD_AES_H
#define STEELYARD_AES_H

#include <stdint.h>

#include "context.h"
#include "inline.h"

/* FIPS 197, section 4.2.1: multiplication by x in GF(2^8), without a branch on secret data. */
ALWAYS_INLINE uint8_t xtime(uint8_t a) {
    return (uint8_t)((uint8_t)(a << 1) ^ (0x1b & (0u - (a >> 7))));
}

/* FIPS 197, section 4.2: the multiplicative inverse in GF(2^8), and 0 for 0. */
uint8_t aes_invert(uint8_t a);

/* FIPS 197, section 5.1.1. */
uint8_t aes_substitute(uint8_t a);

/* Replaces the word at the schedule's position by the one a key length after it or, by the same
 * addition, before it. */
void aes_turn(block_context *schedule);

/* Turns the word at the position forward and goes to the next one. */
void aes_advance(block_context *schedule);

/* ShiftRows of one row by one place (FIPS 197, section 5.1.2). */
void aes_rotate_row(uint8_t *row);

/* FIPS 197, section 5.1.3. */
void aes_mix_columns(uint8_t *state);

#endif
