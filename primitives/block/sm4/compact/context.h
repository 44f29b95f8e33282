#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* Four consecutive words K of the key expansion: the first ones for encryption, the last ones,
 * newest first, for decryption. */
typedef struct {
    uint32_t window[4];
} block_context;

#endif
