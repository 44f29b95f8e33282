#ifndef STEELYARD_SHA1_H
#define STEELYARD_SHA1_H

#include "hash.h"

/* Absorbs one block, which may be ctx->block; overwrites ctx->block. */
void sha1_compress(hash_context *ctx, const uint8_t *block);

#endif
