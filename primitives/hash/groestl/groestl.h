#ifndef STEELYARD_GROESTL_H
#define STEELYARD_GROESTL_H

#include "hash.h"

/* The Grøstl specification: the permutation P, or Q if second is not 0, of a block in place.
 */
void groestl_permute(uint8_t *state, uint8_t second);

/* Absorbs ctx->block and overwrites it. */
void groestl_compress(hash_context *ctx);

#endif
