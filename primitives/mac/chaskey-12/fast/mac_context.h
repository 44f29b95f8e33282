#ifndef STEELYARD_MAC_CONTEXT_H
#define STEELYARD_MAC_CONTEXT_H

#include <stdint.h>

/* Key and state in words; the bytes of the last block are added to the state when it is known
 * whether it is the last. */
typedef struct {
    uint32_t key[4];
    uint32_t state[4];
    uint8_t block[16];
    uint8_t used_bytes;
} mac_context;

#endif
