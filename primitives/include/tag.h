/* The end of aead_open: tags compared in constant time, a forged message wiped. */
#ifndef STEELYARD_TAG_H
#define STEELYARD_TAG_H

#include <stddef.h>
#include <stdint.h>

/* 0 when both tags have the same size bytes; else wipes length bytes of out and returns 1. */
static inline int verify_tag(const uint8_t *tag, const uint8_t *expected, uint8_t size,
                             uint8_t *out, size_t length) {
    uint8_t difference = 0;

    for (uint8_t i = 0; i < size; i++) {
        difference |= (uint8_t)(tag[i] ^ expected[i]);
    }
    if (difference == 0) {
        return 0;
    }
    while (length > 0) {
        out[--length] = 0;
    }
    return 1;
}

#endif
