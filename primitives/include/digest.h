/* A whole message hashed in one call, written once for every hash. See modes/README.md. */
#ifndef STEELYARD_DIGEST_H
#define STEELYARD_DIGEST_H

#include "hash.h"

/* Writes the PRIMITIVE_DIGEST_BYTES bytes of the digest of length bytes to out; ctx needs no
 * set-up. */
void hash_digest(hash_context *ctx, uint8_t *out, const uint8_t *in, size_t length);

#endif
