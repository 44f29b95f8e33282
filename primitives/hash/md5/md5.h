#ifndef STEELYARD_MD5_H
#define STEELYARD_MD5_H

#include "hash.h"

/* Absorbs one block, which may be ctx->block. */
void md5_compress(hash_context *ctx, const uint8_t *block);

#endif
