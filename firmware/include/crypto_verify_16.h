/* SUPERCOP's comparison of 16 bytes, which takes the same time for all: 0 if they are equal. */
#ifndef STEELYARD_CRYPTO_VERIFY_16_H
#define STEELYARD_CRYPTO_VERIFY_16_H

#include <stdint.h>

#define crypto_verify_16_BYTES 16

static inline int crypto_verify_16(const uint8_t *left, const uint8_t *right) {
    uint8_t other = 0;
    for (uint8_t i = 0; i < 16; i++) {
        other |= left[i] ^ right[i];
    }
    return ((other + 255) >> 8) == 0 ? 0 : -1;
}

#endif
