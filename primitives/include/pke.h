/* Contract of public-key encryption, which a signature variant adds where its algorithm has it. See
 * primitives/README.md.
 *
 * The build defines PRIMITIVE_KEY_BYTES (the private key, and the nonce),
 * PRIMITIVE_PUBLIC_KEY_BYTES and PRIMITIVE_OVERHEAD_BYTES, by which a ciphertext is longer than its
 * message. Keys are those of signature.h; there is no context. A SM2 ciphertext is C1 (04, then x
 * and y), C3 (the digest), C2.
 *
 * length is that of the message, at least 1. The message may lie, on both ways, where its last
 * length bytes of ciphertext do; nothing else overlaps. Functions return 0 for success; otherwise
 * another number, and out is all zeros. */
#ifndef STEELYARD_PKE_H
#define STEELYARD_PKE_H

#include <stddef.h>
#include <stdint.h>

/* Writes PRIMITIVE_OVERHEAD_BYTES + length bytes. The nonce is secret, uniformly random and never
 * used again. Fails for what is no public key, and for a nonce that is out of range or hides
 * nothing of a message this long: take another. */
int pke_encrypt(const uint8_t *public_key, uint8_t *out, const uint8_t *nonce, const uint8_t *in,
                size_t length);

/* Writes the length bytes of the message. Fails for what is no private key, and for what was not
 * made by pke_encrypt for its public key. */
int pke_decrypt(const uint8_t *key, uint8_t *out, const uint8_t *in, size_t length);

#endif
