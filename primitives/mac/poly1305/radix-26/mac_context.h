#ifndef STEELYARD_MAC_CONTEXT_H
#define STEELYARD_MAC_CONTEXT_H

#include <stdint.h>

/* RFC 8439, section 2.5.1: accumulator and clamped r in limbs of 26 bits, s, and the bytes of a
 * block that is not whole. */
typedef struct {
    uint32_t accumulator[5];
    uint32_t r[5];
    uint8_t s[16];
    uint8_t block[16];
    uint8_t used_bytes;
} mac_context;

#endif
