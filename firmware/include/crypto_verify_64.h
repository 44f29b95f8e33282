/* SUPERCOP's comparison of 64 bytes, which takes the same time for all: 0 if they are equal. */
#ifndef STEELYARD_CRYPTO_VERIFY_64_H
#define STEELYARD_CRYPTO_VERIFY_64_H

#include <stdint.h>

#define crypto_verify_64_BYTES 64

static inline int crypto_verify_64(const uint8_t *left, const uint8_t *right) {
    uint8_t other = 0;
    for (uint8_t i = 0; i < 64; i++) {
        other |= left[i] ^ right[i];
    }
    return ((other + 255) >> 8) == 0 ? 0 : -1;
}

#endif
