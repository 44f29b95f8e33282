#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* Eight consecutive prekeys w of the specification, each at its number modulo 8: those before
 * round 0 (the padded key) for encryption, the last ones for decryption. */
typedef struct {
    uint32_t prekeys[8];
} block_context;

#endif
