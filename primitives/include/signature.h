/* Contract of a signature variant. See primitives/README.md.
 *
 * The build defines PRIMITIVE_KEY_BYTES (the private key, and the nonce),
 * PRIMITIVE_PUBLIC_KEY_BYTES, PRIMITIVE_SIGNATURE_BYTES and PRIMITIVE_DIGEST_BYTES from the
 * algorithm's metadata; the variant's folder holds signature_context.h, which defines
 * signature_context.
 *
 * Numbers are big-endian; a public key is x then y, a signature r then s. What is signed is the
 * digest of the message, which the caller makes with a hash primitive (for SM2, the digest e of
 * Z_A and the message, by SM3). The nonce is the caller's too: secret, uniformly random and never
 * used for a second digest. So an image holds the signature alone and every run can be repeated.
 *
 * Functions return 0 for success, otherwise another number. */
#ifndef STEELYARD_SIGNATURE_H
#define STEELYARD_SIGNATURE_H

#include <stddef.h>
#include <stdint.h>

#include "signature_context.h"

/* Derives the public key of a private one, and what signing needs. Fails where key is not a private
 * key; ctx then signs nothing. */
int signature_init(signature_context *ctx, uint8_t *public_key, const uint8_t *key);

/* Signs a digest. Fails, and writes zeros, where the nonce is out of range or does for no signature
 * of this digest: take another. */
int signature_sign(const signature_context *ctx, uint8_t *signature, const uint8_t *digest,
                   const uint8_t *nonce);

/* Checks a signature; the public key, which comes from others, is checked with it. It reads nothing
 * secret, so its time may depend on its inputs. */
int signature_verify(const uint8_t *public_key, const uint8_t *signature, const uint8_t *digest);

#endif
