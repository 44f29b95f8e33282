#ifndef STEELYARD_SIPHASH_H
#define STEELYARD_SIPHASH_H

#include "mac.h"

#include "bytes.h"

void siphash_rounds(uint64_t *v, uint8_t count);

/* Absorbs ctx->block. */
void siphash_compress(mac_context *ctx);

static inline uint64_t siphash_load(const uint8_t *p) {
    return load32_le(p) | (uint64_t)load32_le(p + 4) << 32;
}

#endif
