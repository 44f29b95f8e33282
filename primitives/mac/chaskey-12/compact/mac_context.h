#ifndef STEELYARD_MAC_CONTEXT_H
#define STEELYARD_MAC_CONTEXT_H

#include <stdint.h>

/* State, to which the bytes of a block that may be the last are added already. */
typedef struct {
    uint8_t key[16];
    uint8_t state[16];
    uint8_t used_bytes;
} mac_context;

#endif
