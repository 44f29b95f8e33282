#ifndef STEELYARD_MAC_CONTEXT_H
#define STEELYARD_MAC_CONTEXT_H

#include <stdint.h>

/* RFC 8439, section 2.5.1: accumulator, clamped r, s, and the bytes of a block that is not whole.
 */
typedef struct {
    uint8_t accumulator[17];
    uint8_t r[16];
    uint8_t s[16];
    uint8_t block[16];
    uint8_t used_bytes;
} mac_context;

#endif
