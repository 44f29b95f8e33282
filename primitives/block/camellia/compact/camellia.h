#ifndef STEELYARD_CAMELLIA_H
#define STEELYARD_CAMELLIA_H

#include <stdint.h>

#include "context.h"

/* Adds F(x, subkey) to y, eight bytes each (RFC 3713, F-function). */
void camellia_add_f(uint8_t *y, const uint8_t *x, const uint8_t *subkey);

/* A 64-bit subkey for each round, two for each FL layer and two for each whitening. */
#define CAMELLIA_SUBKEYS (PRIMITIVE_ROUNDS + 2 * (PRIMITIVE_ROUNDS / 6 - 1) + 4)

/* RFC 3713, encryption; backwards (1) with the subkeys in the order of decryption. */
void camellia_crypt(const block_context *ctx, uint8_t *out, const uint8_t *in, uint8_t backwards);

#endif
