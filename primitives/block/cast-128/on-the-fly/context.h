#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The bytes x of RFC 2144, section 2.4, where the masking keys begin (the key itself) and where the
 * rotation keys begin. */
typedef struct {
    uint8_t states[2][16];
} block_context;

#endif
