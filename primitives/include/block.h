/* Contract of a block cipher variant. See primitives/README.md.
 *
 * The build defines PRIMITIVE_KEY_BYTES, PRIMITIVE_BLOCK_BYTES and PRIMITIVE_ROUNDS
 * from the algorithm's metadata; the variant's folder holds context.h, which
 * defines block_context. */
#ifndef STEELYARD_BLOCK_H
#define STEELYARD_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "context.h"

/* Expands a key of PRIMITIVE_KEY_BYTES bytes for block_encrypt (and for block_decrypt, where
 * the variant has no block_init_decrypt). */
void block_init(block_context *ctx, const uint8_t *key);

/* Only where decryption needs another set-up (variant.toml: init_decrypt = true). */
void block_init_decrypt(block_context *ctx, const uint8_t *key);

/* One block of PRIMITIVE_BLOCK_BYTES bytes; out may equal in, and neither needs alignment. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in);
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in);

#endif
