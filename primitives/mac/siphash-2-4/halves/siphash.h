#ifndef STEELYARD_SIPHASH_H
#define STEELYARD_SIPHASH_H

#include "mac.h"

#include "bytes.h"

void siphash_rounds(halves *v, uint8_t count);

/* Absorbs ctx->block. */
void siphash_compress(mac_context *ctx);

static inline halves siphash_load(const uint8_t *p) {
    return join(load32_le(p), load32_le(p + 4));
}

#endif
