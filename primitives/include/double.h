/* Doubling in the field of 2^64 or 2^128 elements, the first byte the highest: CMAC, EAX, OCB. */
#ifndef STEELYARD_DOUBLE_H
#define STEELYARD_DOUBLE_H

#include <stdint.h>

/* R of CMAC for a block of 64 and of 128 bits; the latter in RFC 4493, section 2.3. */
#if PRIMITIVE_BLOCK_BYTES == 8
#define DOUBLE_REDUCTION 0x1B
#elif PRIMITIVE_BLOCK_BYTES == 16
#define DOUBLE_REDUCTION 0x87
#else
#error "blocks have 8 or 16 bytes"
#endif

static inline void double_block(uint8_t *x) {
    uint8_t carry = 0;

    for (uint8_t i = PRIMITIVE_BLOCK_BYTES; i > 0; i--) {
        uint8_t byte = x[i - 1];
        x[i - 1] = (uint8_t)(byte << 1 | carry);
        carry = byte >> 7;
    }
    x[PRIMITIVE_BLOCK_BYTES - 1] =
        (uint8_t)(x[PRIMITIVE_BLOCK_BYTES - 1] ^ ((uint8_t)(DOUBLE_REDUCTION & -carry)));
}

#endif
