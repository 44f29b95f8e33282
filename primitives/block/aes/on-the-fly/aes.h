#ifndef STEELYARD_AES_H
#define STEELYARD_AES_H

#include <stdint.h>

#include "context.h"
#include "inline.h"
#include "rom.h"

/* FIPS 197, section 5.1.1, table 4. */
extern const ROM uint8_t aes_sbox[256];

/* FIPS 197, section 4.2: multiplication by x in GF(2^8), without a branch on secret data. */
ALWAYS_INLINE uint8_t xtime(uint8_t a) {
    return (uint8_t)((uint8_t)(a << 1) ^ (0x1b & (0u - (a >> 7))));
}

/* Replaces the word at the schedule's position by the one a key length after it or, by the same
 * addition, before it. */
void aes_turn(block_context *schedule);

/* Turns the word at the position forward and goes to the next one. */
void aes_advance(block_context *schedule);

#endif
