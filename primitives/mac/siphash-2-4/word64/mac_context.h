#ifndef STEELYARD_MAC_CONTEXT_H
#define STEELYARD_MAC_CONTEXT_H

#include <stdint.h>

/* State, the bytes of a word that is not whole, and the message's length modulo 256. */
typedef struct {
    uint64_t v[4];
    uint8_t block[8];
    uint8_t length;
} mac_context;

#endif
