#ifndef STEELYARD_SHA512_H
#define STEELYARD_SHA512_H

#include "hash.h"

/* Absorbs one block, which may be ctx->block; overwrites ctx->block. */
void sha512_compress(hash_context *ctx, const uint8_t *block);

#endif
