#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

#define DES_PASSES   (PRIMITIVE_ROUNDS / 16)
#define DES_WHITENED (DES_PASSES == 1 && PRIMITIVE_KEY_BYTES == 24)

/* Two words of subkey for each round, in the order in which encryption takes them; DESX also has
 * what is added before and after. */
typedef struct {
    uint32_t subkeys[2 * PRIMITIVE_ROUNDS];
#if DES_WHITENED
    uint32_t before[2];
    uint32_t after[2];
#endif
} block_context;

#endif
