#ifndef STEELYARD_AEAD_CONTEXT_H
#define STEELYARD_AEAD_CONTEXT_H

#include <stdint.h>

#include "block.h"

/* L_0 to L_4 of RFC 7253, section 4.1: enough for 31 blocks. */
#define OCB_MASKS 5

/* star and dollar are L_* and L_$; inverse is there where the cipher's decryption needs a set-up of
 * its own. */
typedef struct {
    block_context cipher;
#if defined(PART_INIT_DECRYPT)
    block_context inverse;
#endif
    uint8_t star[16];
    uint8_t dollar[16];
    uint8_t masks[OCB_MASKS][16];
} aead_context;

#endif
