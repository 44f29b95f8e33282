#ifndef STEELYARD_AEAD_CONTEXT_H
#define STEELYARD_AEAD_CONTEXT_H

#include <stdint.h>

#include "block.h"

/* star is L_* of RFC 7253, section 4.1; inverse is there where the cipher's decryption needs a
 * set-up of its own. */
typedef struct {
    block_context cipher;
#if defined(PART_INIT_DECRYPT)
    block_context inverse;
#endif
    uint8_t star[16];
} aead_context;

#endif
