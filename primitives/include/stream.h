/* Contract of a stream cipher variant. See primitives/README.md.
 *
 * The build defines PRIMITIVE_KEY_BYTES and PRIMITIVE_IV_BYTES (0 where the cipher has no IV)
 * from the algorithm's metadata; the variant's folder holds context.h, which defines
 * stream_context. */
#ifndef STEELYARD_STREAM_H
#define STEELYARD_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "context.h"

/* Key and IV set-up; iv is not read where PRIMITIVE_IV_BYTES is 0. */
void stream_init(stream_context *ctx, const uint8_t *key, const uint8_t *iv);

/* Encrypts or decrypts the next length bytes of the stream; out may equal in. */
void stream_crypt(stream_context *ctx, uint8_t *out, const uint8_t *in, size_t length);

#endif
