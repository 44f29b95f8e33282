#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The vectors Me, Mo and S of the specification as bytes. */
typedef struct {
    uint8_t even[PRIMITIVE_KEY_BYTES / 2];
    uint8_t odd[PRIMITIVE_KEY_BYTES / 2];
    uint8_t list[PRIMITIVE_KEY_BYTES / 2];
} block_context;

#endif
