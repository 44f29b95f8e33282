#ifndef STEELYARD_G_H
#define STEELYARD_G_H

#include <stdint.h>

#include "context.h"
#include "twofish.h"

/* Specification, function g. */
static inline uint32_t g(const block_context *ctx, uint32_t x) {
    return twofish_h(x, ctx->list);
}

#endif
