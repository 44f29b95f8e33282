#ifndef STEELYARD_G_H
#define STEELYARD_G_H

#include <stdint.h>

#include "context.h"

/* Specification, function g. */
static inline uint32_t g(const block_context *ctx, uint32_t x) {
    return ctx->boxes[0][(uint8_t)x] ^ ctx->boxes[1][(uint8_t)(x >> 8)] ^
           ctx->boxes[2][(uint8_t)(x >> 16)] ^ ctx->boxes[3][(uint8_t)(x >> 24)];
}

#endif
