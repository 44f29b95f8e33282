#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The key alone, as words; round keys are made as they are needed. */
typedef struct {
    uint32_t key[PRIMITIVE_KEY_BYTES / 4];
} block_context;

#endif
