#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The key: after all rounds its halves have been turned once round, so that encryption and
 * decryption begin with the same one. */
typedef struct {
    uint8_t key[PRIMITIVE_KEY_BYTES];
} block_context;

#endif
