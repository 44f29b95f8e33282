#ifndef STEELYARD_HMAC_PAD_H
#define STEELYARD_HMAC_PAD_H

#include <stdint.h>

#include "hash.h"

#if PRIMITIVE_KEY_BYTES > PRIMITIVE_BLOCK_BYTES
#error "a key longer than a block would have to be hashed first"
#endif

/* Starts a hash and absorbs the key, each byte changed by pad, as a whole block: RFC 2104, section
 * 2, steps 2 to 4. */
void hmac_start(hash_context *hash, const uint8_t *key, uint8_t pad);

#endif
