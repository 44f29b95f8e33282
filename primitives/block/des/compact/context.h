#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

#define DES_PASSES   (PRIMITIVE_ROUNDS / 16)
#define DES_WHITENED (DES_PASSES == 1 && PRIMITIVE_KEY_BYTES == 24)

/* Where the key of the third pass of Triple DES begins. */
#define DES_THIRD_KEY (PRIMITIVE_KEY_BYTES == 16 ? 0 : 16)

/* The key alone; subkeys are looked up in it bit by bit. */
typedef struct {
    uint8_t key[PRIMITIVE_KEY_BYTES];
} block_context;

#endif
