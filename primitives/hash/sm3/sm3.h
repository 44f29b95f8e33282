#ifndef STEELYARD_SM3_H
#define STEELYARD_SM3_H

#include "hash.h"

/* Absorbs one block, which may be ctx->block; overwrites ctx->block. */
void sm3_compress(hash_context *ctx, const uint8_t *block);

#endif
