#ifndef STEELYARD_AES_H
#define STEELYARD_AES_H

#include <stdint.h>

#include "inline.h"
#include "rom.h"

/* FIPS 197, section 5.1.1, figure 7; set-up and encryption share it. */
extern const ROM uint8_t aes_sbox[256];

/* FIPS 197, section 4.2.1: multiplication by x in GF(2^8), without a branch on secret data. */
ALWAYS_INLINE uint8_t xtime(uint8_t a) {
    return (uint8_t)((uint8_t)(a << 1) ^ (0x1b & (0u - (a >> 7))));
}

#endif
