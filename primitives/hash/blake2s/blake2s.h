#ifndef STEELYARD_BLAKE2S_H
#define STEELYARD_BLAKE2S_H

#include "hash.h"

/* RFC 7693, section 2.6: the initial values; sets each word of eight to one. */
void blake2s_initial(uint32_t *words);

/* Compresses ctx->block after length of its bytes have been counted; final is all ones for the last
 * block, else 0. */
void blake2s_compress(hash_context *ctx, uint8_t length, uint32_t final);

#endif
