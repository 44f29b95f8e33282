#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The words P_1 to P_18, then the four S-boxes, which depend on the key. */
#define BLOWFISH_SUBKEYS (PRIMITIVE_ROUNDS + 2)
#define BLOWFISH_WORDS   (BLOWFISH_SUBKEYS + 4 * 256)

typedef struct {
    uint32_t subkeys[BLOWFISH_SUBKEYS];
    uint32_t sboxes[4][256];
} block_context;

#endif
