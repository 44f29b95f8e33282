/* Contract of a hash variant. See primitives/README.md.
 *
 * The build defines PRIMITIVE_DIGEST_BYTES and PRIMITIVE_BLOCK_BYTES from the algorithm's
 * metadata; the variant's folder holds context.h, which defines hash_context. */
#ifndef STEELYARD_HASH_H
#define STEELYARD_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "context.h"

void hash_init(hash_context *ctx);

/* Absorbs length bytes; any split of a message gives the same digest. */
void hash_update(hash_context *ctx, const uint8_t *in, size_t length);

/* Pads and writes PRIMITIVE_DIGEST_BYTES bytes; ctx must be initialised anew afterwards. */
void hash_final(hash_context *ctx, uint8_t *out);

#endif
