/* Contract of a mode of operation, bound to one block cipher by the linker.
 * See modes/README.md. */
#ifndef STEELYARD_MODE_H
#define STEELYARD_MODE_H

#include "block.h"

/* Whole messages or consecutive pieces of one: iv (PRIMITIVE_BLOCK_BYTES bytes, the chaining
 * value or counter) is updated so that the next call goes on; every piece but the last is a
 * whole number of blocks. ECB does not read iv. out may equal in. */
void mode_encrypt(const block_context *ctx, uint8_t *iv, uint8_t *out, const uint8_t *in,
                  size_t length);
void mode_decrypt(const block_context *ctx, uint8_t *iv, uint8_t *out, const uint8_t *in,
                  size_t length);

#endif
