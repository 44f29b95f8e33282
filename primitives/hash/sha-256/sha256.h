#ifndef STEELYARD_SHA256_H
#define STEELYARD_SHA256_H

#include "hash.h"

/* Absorbs one block, which may be ctx->block; overwrites ctx->block. */
void sha256_compress(hash_context *ctx, const uint8_t *block);

#endif
