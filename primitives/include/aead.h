/* Contract of an AEAD variant. See primitives/README.md.
 *
 * The build defines PRIMITIVE_KEY_BYTES, PRIMITIVE_IV_BYTES (the nonce) and PRIMITIVE_TAG_BYTES
 * from the algorithm's metadata and, for a construction, the parameters of what it is over; the
 * variant's folder holds aead_context.h, which defines aead_context. */
#ifndef STEELYARD_AEAD_H
#define STEELYARD_AEAD_H

#include <stddef.h>
#include <stdint.h>

#include "aead_context.h"

/* Key set-up with PRIMITIVE_KEY_BYTES bytes, for any number of messages. */
void aead_init(aead_context *ctx, const uint8_t *key);

/* Encrypts length bytes of in to out and writes the tag over them and ad_length bytes of ad. out
 * may equal in; tag, nonce and ad overlap nothing. */
void aead_seal(const aead_context *ctx, uint8_t *out, uint8_t *tag, const uint8_t *nonce,
               const uint8_t *ad, size_t ad_length, const uint8_t *in, size_t length);

/* Decrypts what aead_seal made. Returns 0 when the tag is right; otherwise another number, and all
 * length bytes of out are zero. Tags are compared in a time that does not depend on where they
 * differ. out may equal in. */
int aead_open(const aead_context *ctx, uint8_t *out, const uint8_t *tag, const uint8_t *nonce,
              const uint8_t *ad, size_t ad_length, const uint8_t *in, size_t length);

#endif
