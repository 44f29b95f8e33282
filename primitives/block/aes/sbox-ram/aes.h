#ifndef STEELYARD_AES_H
#define STEELYARD_AES_H

#include <stdint.h>

#include "context.h"
#include "inline.h"

/* FIPS 197, section 4.2.1: multiplication by x in GF(2^8), without a branch on secret data. */
ALWAYS_INLINE uint8_t xtime(uint8_t a) {
    return (uint8_t)((uint8_t)(a << 1) ^ (0x1b & (0u - (a >> 7))));
}

/* Fills the context's table with the S-box of FIPS 197, section 5.1.1, or with its inverse. */
void aes_make_sbox(block_context *ctx, uint8_t inverse);

#endif
